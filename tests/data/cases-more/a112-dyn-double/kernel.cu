extern __shared__ double s[];
__global__ void rev(double *x)
{
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    x[t] = s[blockDim.x - 1 - t];
}
