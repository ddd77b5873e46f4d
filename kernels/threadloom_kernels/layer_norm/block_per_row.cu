// SPDX-License-Identifier: MIT
// Each row is shifted to mean 0 and scaled to variance 1, then by gamma and beta:
// one block per row, of any length.

#define EPSILON 1e-5  // keeps a row of equal values from a division by zero

typedef float real;

// The sum of the values that the threads of the block hold. One element of partial per thread.
__device__ real block_sum(real value, real *partial)
{
    int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();

    // Fold the upper half onto the lower one; of an odd count, the middle one stays.
    for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
        int half = (count + 1) / 2;
        if (t + half < count)
            partial[t] += partial[t + half];
        __syncthreads();
    }

    real sum = partial[0];
    __syncthreads();  // all have read it: partial is free again
    return sum;
}

__global__ void layer_norm(const real *x, const real *gamma, const real *beta, real *y,
                           int rows, int cols)
{
    // One element per thread; the launch gives its size.
    extern __shared__ real partial[];

    // The same for all threads of a block, so none is missed at a barrier.
    int row = blockIdx.x;
    if (row >= rows)
        return;
    const real *in = x + row * cols;
    real *out = y + row * cols;

    real sum = 0;
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        sum += in[col];
    real mean = block_sum(sum, partial) / cols;

    // Squares of the differences: the difference of the squares would lose its digits.
    real squares = 0;
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        squares += (in[col] - mean) * (in[col] - mean);
    real variance = block_sum(squares, partial) / cols;

    real scale = 1 / sqrt(variance + (real)EPSILON);
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        out[col] = (in[col] - mean) * scale * gamma[col] + beta[col];
}
