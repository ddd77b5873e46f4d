
__global__ void square(float *y, const float *x, int n)
{
    int i = threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
