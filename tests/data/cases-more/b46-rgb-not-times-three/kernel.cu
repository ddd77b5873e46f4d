
__global__ void gray(unsigned char *g, const unsigned char *rgb, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int p = y * w + x;
    g[p] = (rgb[p] + rgb[p + 1] + rgb[p + 2]) / 3;
}
