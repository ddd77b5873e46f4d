// SPDX-License-Identifier: MIT
// How many elements of x, from 0 to 1, fall into each of equal bins, on one thread of the CPU.

typedef float real;

void loop(const real *x, int *counts, int n, int bins)
{
    for (int i = 0; i < n; i++) {
        int bin = (int)(x[i] * bins);
        if (bin == bins)
            bin = bins - 1;
        counts[bin]++;
    }
}
