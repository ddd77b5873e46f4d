// SPDX-License-Identifier: MIT
// y = sigmoid(W x + b) on one thread of the CPU.

#include <tgmath.h>

typedef float real;

static real squash(real x)
{
    real e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

void loop(const real *W, const real *x, const real *b, real *y, int rows, int cols, int batch)
{
    for (int sample = 0; sample < batch; sample++)
        for (int row = 0; row < rows; row++) {
            real sum = b[row];
            for (int i = 0; i < cols; i++)
                sum += W[row * cols + i] * x[sample * cols + i];
            y[sample * rows + row] = squash(sum);
        }
}
