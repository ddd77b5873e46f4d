// SPDX-License-Identifier: MIT
// y = A x for a sparse matrix in compressed rows: row r has its entries from starts[r] on.

__global__ void thread_per_row(const int *starts, const int *columns, const double *values,
                               const double *x, double *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        double sum = 0;
        for (int e = starts[row]; e < starts[row + 1]; e++)
            sum += values[e] * x[columns[e]];
        y[row] = sum;
    }
}

// The lanes of a warp read a row side by side and fold their sums through registers.
__global__ void warp_per_row(const int *starts, const int *columns, const double *values,
                             const double *x, double *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int lane = threadIdx.x % warpSize;
    if (row >= rows)
        return;  // the whole warp

    double sum = 0;
    for (int e = starts[row] + lane; e < starts[row + 1]; e += warpSize)
        sum += values[e] * x[columns[e]];
    for (int gap = warpSize / 2; gap > 0; gap /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, gap);
    if (lane == 0)
        y[row] = sum;
}
