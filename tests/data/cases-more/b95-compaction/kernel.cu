
__global__ void keep(int *out, int *count, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) {
        int k = atomicAdd(count, 1);
        out[k] = x[i];
    }
}
