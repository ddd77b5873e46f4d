
__global__ void brighten(unsigned char *img, int amount, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) img[i] = img[i] + amount;
}
