// SPDX-License-Identifier: MIT
// y = 1 / (1 + exp(-x)) on one thread of the CPU.

#include <tgmath.h>

typedef float real;

static real squash(real x)
{
    real e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

void loop(const real *x, real *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = squash(x[i]);
}
