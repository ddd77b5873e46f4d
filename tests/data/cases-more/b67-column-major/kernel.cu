
__global__ void column_sums(float *s, const float *a, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    float t = 0.0f;
    for (int r = 0; r < rows; ++r) t += a[c * rows + r];
    s[c] = t;
}
