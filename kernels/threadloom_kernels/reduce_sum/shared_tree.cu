// SPDX-License-Identifier: MIT
// The sum of x: each block folds its elements in shared memory, then adds one number.
// The total must be zero before the launch.

typedef float real;

__global__ void sum_tree(const real *x, real *total, int n)
{
    // One element per thread; the launch gives its size.
    extern __shared__ real partial[];

    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[t] = i < n ? x[i] : 0;
    __syncthreads();

    // Fold the upper half onto the lower one, until one is left.
    // Of an odd count, the one in the middle has no partner and stays.
    for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
        int half = (count + 1) / 2;
        if (t + half < count)
            partial[t] += partial[t + half];
        __syncthreads();
    }

    if (t == 0)
        atomicAdd(total, partial[0]);
}
