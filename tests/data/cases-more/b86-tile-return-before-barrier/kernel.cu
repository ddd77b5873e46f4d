
#define T 16
__global__ void mm(float *c, const float *a, const float *b, int n)
{
    __shared__ float sa[T][T], sb[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (row >= n || col >= n) return;
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        int k = k0 + threadIdx.x;
        sa[threadIdx.y][threadIdx.x] = k < n ? a[row * n + k] : 0.0f;
        k = k0 + threadIdx.y;
        sb[threadIdx.y][threadIdx.x] = k < n ? b[k * n + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < T; ++j) acc += sa[threadIdx.y][j] * sb[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = acc;
}
