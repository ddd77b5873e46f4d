
__global__ void halve(float *x, int n)
{
    int i = threadIdx.x;
    if (i < n) x[i] = x[i] * 0.5f;
}
