// SPDX-License-Identifier: MIT
// y = exp(x) / sum of exp(x), for each row, on one thread of the CPU.

#include <tgmath.h>

typedef float real;

void loop(const real *x, real *y, int rows, int cols)
{
    for (int row = 0; row < rows; row++) {
        const real *in = x + row * cols;
        real *out = y + row * cols;

        real largest = in[0];
        for (int col = 1; col < cols; col++)
            if (in[col] > largest)
                largest = in[col];

        // Less the largest, no exponential overflows, and the quotient is the same.
        // A float would lose the small terms of a long row.
        double sum = 0;
        for (int col = 0; col < cols; col++) {
            out[col] = exp(in[col] - largest);
            sum += out[col];
        }
        for (int col = 0; col < cols; col++)
            out[col] /= (real)sum;
    }
}
