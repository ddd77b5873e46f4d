
__global__ void transpose(float *t, const float *a, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    t[x * cols + y] = a[y * cols + x];
}
