// SPDX-License-Identifier: MIT
// B is A with rows and columns exchanged, through a tile in shared memory.
// The block has TILE threads along x and any number along y.

#define TILE 32

typedef float real;

__global__ void transpose_tiled(const real *A, real *B, int rows, int cols)
{
    // One column more than needed: the elements of a column then lie in different banks.
    __shared__ real tile[TILE][TILE + 1];

    int tx = threadIdx.x;
    int left = blockIdx.x * TILE;
    int top = blockIdx.y * TILE;

    // Neighbours read side by side …
    for (int ty = threadIdx.y; ty < TILE; ty += blockDim.y)
        if (top + ty < rows && left + tx < cols)
            tile[ty][tx] = A[(top + ty) * cols + left + tx];
    __syncthreads();

    // … and write side by side, since the tile is what they turn.
    for (int ty = threadIdx.y; ty < TILE; ty += blockDim.y)
        if (left + ty < cols && top + tx < rows)
            B[(left + ty) * rows + top + tx] = tile[tx][ty];
}
