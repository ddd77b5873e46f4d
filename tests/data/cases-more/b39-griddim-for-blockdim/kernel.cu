
__global__ void shift(float *y, const float *x, int n)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1.0f;
}
