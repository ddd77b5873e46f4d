// SPDX-License-Identifier: MIT
// C = A B through tiles as large as the block, which may be any square.
// The launch gives the shared memory: two tiles.

typedef float real;

__global__ void mm_dynamic(const real *A, const real *B, real *C, int m, int n, int k)
{
    // Its size is the third number between <<< and >>>.
    extern __shared__ real tiles[];

    int edge = blockDim.x;
    real *As = tiles;
    real *Bs = tiles + edge * edge;

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    real sum = 0;
    for (int t = 0; t < k; t += edge) {
        // Zeros past the edges add nothing to the sum.
        As[ty * edge + tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0;
        Bs[ty * edge + tx] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0;
        __syncthreads();  // the tiles are complete

        for (int i = 0; i < edge; i++)
            sum += As[ty * edge + i] * Bs[i * edge + tx];
        __syncthreads();  // all have read them: they may be overwritten
    }

    if (row < m && col < n)
        C[row * n + col] = sum;
}
