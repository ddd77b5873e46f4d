// SPDX-License-Identifier: MIT
// One generation of Conway's game of life on a torus.

__global__ void life(const unsigned char *now, unsigned char *next, int height, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int line = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || line >= height)
        return;

    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int x = (column + dx + width) % width;
            int y = (line + dy + height) % height;
            if (dx != 0 || dy != 0)
                alive += now[y * width + x];
        }
    unsigned char here = now[line * width + column];
    next[line * width + column] = alive == 3 || (here && alive == 2);
}
