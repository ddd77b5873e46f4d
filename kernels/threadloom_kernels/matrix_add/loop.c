// SPDX-License-Identifier: MIT
// C = A + B on one thread of the CPU.

typedef float real;

void loop(const real *A, const real *B, real *C, int rows, int cols)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            C[row * cols + col] = A[row * cols + col] + B[row * cols + col];
}
