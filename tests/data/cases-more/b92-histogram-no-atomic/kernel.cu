
__global__ void histogram(int *bins, const unsigned char *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[x[i]]++;
}
