__global__ void scale(float *x, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    x[t] = s[blockDim.x - 1 - t];
}
