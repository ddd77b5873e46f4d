
__global__ void cells(int *out, int base, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float cell = (float)base + (float)i;
    out[i] = (int)cell;
}
