// SPDX-License-Identifier: MIT
// c = a + b in a single block: the thread's number is the element's index.

typedef float real;

__global__ void vec_add(const real *a, const real *b, real *c, int n)
{
    int i = threadIdx.x;

    // A block may have more threads than there are elements.
    if (i < n)
        c[i] = a[i] + b[i];
}
