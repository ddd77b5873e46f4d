#define BX 16
#define BY 8
__global__ void __launch_bounds__(BX * BY) fill2d(float *img, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) img[y * w + x] = 1.0f;
}
