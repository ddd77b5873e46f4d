// SPDX-License-Identifier: MIT
// c = a + b for tensors of three axes, one element per thread, a three-dimensional grid.

typedef float real;

__global__ void tensor_add(const real *a, const real *b, real *c, int depth, int rows, int cols)
{
    int plane = blockIdx.z * blockDim.z + threadIdx.z;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (plane < depth && row < rows && col < cols) {
        // Planes lie one after the other, and rows within a plane.
        int i = (plane * rows + row) * cols + col;
        c[i] = a[i] + b[i];
    }
}
