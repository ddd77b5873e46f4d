
__global__ void fill(int *y, bool up, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = up ? i : n - i;
}
