
__global__ void softmax(float *y, const float *x, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int k = 0; k < n; ++k) s += expf(x[k]);
    y[i] = expf(x[i]) / s;
}
