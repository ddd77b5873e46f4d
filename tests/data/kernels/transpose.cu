// SPDX-License-Identifier: MIT
// A tile of 16 x 16 is read row by row and written column by column.

#define EDGE 16

__global__ void transpose(const float *a, float *b, int height, int width)
{
    __shared__ float tile[EDGE][EDGE];

    int x = blockIdx.x * EDGE + threadIdx.x;
    int y = blockIdx.y * EDGE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = a[y * width + x];
    __syncthreads();

    x = blockIdx.y * EDGE + threadIdx.x;
    y = blockIdx.x * EDGE + threadIdx.y;
    if (x < height && y < width)
        b[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
