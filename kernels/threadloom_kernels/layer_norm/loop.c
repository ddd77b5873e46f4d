// SPDX-License-Identifier: MIT
// Each row is shifted to mean 0 and scaled to variance 1, on one thread of the CPU.

#include <tgmath.h>

#define EPSILON 1e-5  // keeps a row of equal values from a division by zero

typedef float real;

void loop(const real *x, const real *gamma, const real *beta, real *y, int rows, int cols)
{
    for (int row = 0; row < rows; row++) {
        const real *in = x + row * cols;
        real *out = y + row * cols;

        // Floats would lose the small terms of a long row.
        double sum = 0;
        for (int col = 0; col < cols; col++)
            sum += in[col];
        real mean = (real)(sum / cols);

        double squares = 0;
        for (int col = 0; col < cols; col++)
            squares += (in[col] - mean) * (in[col] - mean);
        real variance = (real)(squares / cols);

        real scale = 1 / sqrt(variance + (real)EPSILON);
        for (int col = 0; col < cols; col++)
            out[col] = (in[col] - mean) * scale * gamma[col] + beta[col];
    }
}
