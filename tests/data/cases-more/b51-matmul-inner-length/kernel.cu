
__global__ void mm(float *c, const float *a, const float *b, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float s = 0.0f;
    for (int k = 0; k < N; ++k) s += a[row * K + k] * b[k * N + col];
    c[row * N + col] = s;
}
