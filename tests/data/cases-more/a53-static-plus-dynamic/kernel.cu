extern __shared__ float dyn[];
__global__ void mixed(float *x)
{
    __shared__ float fixed[10240];
    int t = threadIdx.x;
    fixed[t] = x[t]; dyn[t] = 2.0f * x[t];
    __syncthreads();
    x[t] = fixed[blockDim.x - 1 - t] + dyn[t];
}
