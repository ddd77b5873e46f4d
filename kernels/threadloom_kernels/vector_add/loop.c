// SPDX-License-Identifier: MIT
// c = a + b on one thread of the CPU.

typedef float real;

void loop(const real *a, const real *b, real *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
