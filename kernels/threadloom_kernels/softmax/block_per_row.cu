// SPDX-License-Identifier: MIT
// y = exp(x) / sum of exp(x), for each row: one block per row, of any length.

typedef float real;

// The largest value that a thread of the block holds. One element of partial per thread.
__device__ real block_max(real value, real *partial)
{
    int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();

    // Fold the upper half onto the lower one; of an odd count, the middle one stays.
    for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
        int half = (count + 1) / 2;
        if (t + half < count && partial[t + half] > partial[t])
            partial[t] = partial[t + half];
        __syncthreads();
    }

    real largest = partial[0];
    __syncthreads();  // all have read it: partial is free again
    return largest;
}

// The sum of the values that the threads of the block hold.
__device__ real block_sum(real value, real *partial)
{
    int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();

    for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
        int half = (count + 1) / 2;
        if (t + half < count)
            partial[t] += partial[t + half];
        __syncthreads();
    }

    real sum = partial[0];
    __syncthreads();
    return sum;
}

__global__ void softmax(const real *x, real *y, int rows, int cols)
{
    // One element per thread; the launch gives its size.
    extern __shared__ real partial[];

    // The same for all threads of a block, so none is missed at a barrier.
    int row = blockIdx.x;
    if (row >= rows)
        return;
    const real *in = x + row * cols;
    real *out = y + row * cols;

    real largest = in[0];
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        if (in[col] > largest)
            largest = in[col];
    largest = block_max(largest, partial);

    // Less the largest, no exponential is above 1: none overflows, and the quotient is the same.
    real sum = 0;
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        sum += exp(in[col] - largest);
    sum = block_sum(sum, partial);

    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        out[col] = exp(in[col] - largest) / sum;
}
