__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = std::sqrt(x[i]) + std::abs(x[i]);
}
