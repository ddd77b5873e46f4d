
__global__ void histogram(int *bins, const int *x, int n)
{
    __shared__ int h[8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) atomicAdd(&h[x[i] % 8], 1);
    __syncthreads();
    if (t < 8) atomicAdd(&bins[t], h[t]);
}
