// SPDX-License-Identifier: MIT
// C = A + B in a single block: the thread's coordinates are the element's.

typedef float real;

__global__ void mat_add(const real *A, const real *B, real *C, int rows, int cols)
{
    int row = threadIdx.y;
    int col = threadIdx.x;

    // A block may be larger than the matrix.
    if (row < rows && col < cols)
        C[row * cols + col] = A[row * cols + col] + B[row * cols + col];
}
