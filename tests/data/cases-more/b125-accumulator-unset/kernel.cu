
__global__ void row_sums(float *s, const float *a, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float t;
    for (int c = 0; c < cols; ++c) t += a[r * cols + c];
    s[r] = t;
}
