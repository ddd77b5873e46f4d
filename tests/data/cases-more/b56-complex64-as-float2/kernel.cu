
__global__ void power(float *y, const float2 *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = z[i].x * z[i].x + z[i].y * z[i].y;
}
