// SPDX-License-Identifier: MIT
// c = a + b for tensors of three axes on one thread of the CPU.

typedef float real;

void loop(const real *a, const real *b, real *c, int depth, int rows, int cols)
{
    for (int plane = 0; plane < depth; plane++)
        for (int row = 0; row < rows; row++)
            for (int col = 0; col < cols; col++) {
                int i = (plane * rows + row) * cols + col;
                c[i] = a[i] + b[i];
            }
}
