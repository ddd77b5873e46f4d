// SPDX-License-Identifier: MIT
// B is A with rows and columns exchanged, on one thread of the CPU.

typedef float real;

void loop(const real *A, real *B, int rows, int cols)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            B[col * rows + row] = A[row * cols + col];
}
