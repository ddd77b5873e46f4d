// SPDX-License-Identifier: MIT
// The sum of x on one thread of the CPU.

typedef float real;

void loop(const real *x, real *total, int n)
{
    real sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    *total += sum;
}
