// SPDX-License-Identifier: MIT
// C = A B on one thread of the CPU. The innermost loop runs along rows, as the memory does.

typedef float real;

void loop(const real *restrict A, const real *restrict B, real *restrict C, int m, int n, int k)
{
    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++)
            C[row * n + col] = 0;
        for (int i = 0; i < k; i++)
            for (int col = 0; col < n; col++)
                C[row * n + col] += A[row * k + i] * B[i * n + col];
    }
}
