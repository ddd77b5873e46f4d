
__global__ void plus_one(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i < n) y[i] = v + 1.0f;
}
