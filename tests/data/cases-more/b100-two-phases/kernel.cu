
__global__ void phases(float *t, float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t[i] = x[i] * x[i];
    __syncthreads();
    if (i < n) y[i] = t[n - 1 - i] + 1.0f;
}
