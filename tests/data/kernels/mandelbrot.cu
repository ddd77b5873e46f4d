// SPDX-License-Identifier: MIT
// How many steps z = z² + c takes to leave the circle of radius 2, at most so many.

__global__ void mandelbrot(int *steps, int width, int height, double left, double top,
                           double pixel, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int line = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || line >= height)
        return;

    double cx = left + column * pixel, cy = top - line * pixel;
    double x = 0, y = 0;
    int step = 0;
    while (step < most && x * x + y * y <= 4) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        step++;
    }
    steps[line * width + column] = step;
}
