
__global__ void reverse(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        int t = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = t;
    }
}
