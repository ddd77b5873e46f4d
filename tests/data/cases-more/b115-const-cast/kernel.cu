
__global__ void take(int *out, const int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = v[n - 1 - i];
    ((int *)v)[i] = 0;
}
