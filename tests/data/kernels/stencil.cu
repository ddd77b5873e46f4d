// SPDX-License-Identifier: MIT
// Sums over neighbours, read once into shared memory with a halo on each side.

#define RADIUS 3
#define THREADS 64
#define EDGE 16

__global__ void stencil_1d(const int *before, int *after, int n)
{
    __shared__ int row[THREADS + 2 * RADIUS];

    int i = blockIdx.x * THREADS + threadIdx.x;
    int at = threadIdx.x + RADIUS;
    row[at] = i < n ? before[i] : 0;
    if (threadIdx.x < RADIUS) {
        int left = i - RADIUS, right = i + THREADS;
        row[at - RADIUS] = left >= 0 ? before[left] : 0;
        row[at + THREADS] = right < n ? before[right] : 0;
    }
    __syncthreads();

    int sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += row[at + d];
    if (i < n)
        after[i] = sum;
}

// One step of heat on a plate whose edge keeps its temperature.
__global__ void stencil_2d(const float *before, float *after, int height, int width, float rate)
{
    __shared__ float tile[EDGE + 2][EDGE + 2];

    int left = blockIdx.x * EDGE - 1, top = blockIdx.y * EDGE - 1;
    for (int y = threadIdx.y; y < EDGE + 2; y += EDGE)
        for (int x = threadIdx.x; x < EDGE + 2; x += EDGE) {
            int column = min(max(left + x, 0), width - 1);
            int line = min(max(top + y, 0), height - 1);
            tile[y][x] = before[line * width + column];
        }
    __syncthreads();

    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int column = left + x, line = top + y;
    if (column >= width || line >= height)
        return;
    float here = tile[y][x];
    bool edge = column == 0 || line == 0 || column == width - 1 || line == height - 1;
    float around = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
    after[line * width + column] = edge ? here : here + rate * (around - 4.0f * here);
}
