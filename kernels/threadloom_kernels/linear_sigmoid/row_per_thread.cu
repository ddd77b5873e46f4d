// SPDX-License-Identifier: MIT
// y = sigmoid(W x + b), one layer of a neural network: one thread per row of W and sample.
// W is rows x cols, x is batch x cols, b has rows elements, y is batch x rows.

typedef float real;

__device__ real squash(real x)
{
    // exp(-|x|) cannot overflow, whatever the sign of x.
    real e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

__global__ void linear_sigmoid(const real *W, const real *x, const real *b, real *y,
                               int rows, int cols, int batch)
{
    int sample = blockIdx.y * blockDim.y + threadIdx.y;
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (sample < batch && row < rows) {
        real sum = b[row];
        for (int i = 0; i < cols; i++)
            sum += W[row * cols + i] * x[sample * cols + i];
        y[sample * rows + row] = squash(sum);
    }
}
