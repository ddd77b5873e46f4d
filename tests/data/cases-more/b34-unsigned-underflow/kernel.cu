
__global__ void difference(float *y, const float *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = 0.0f;
    if (i - 1 >= 0)
        left = x[i - 1];
    y[i] = x[i] - left;
}
