
__global__ void gradient(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) y[i] = 0.5f * (x[i + 1] - x[i - 1]);
}
