// SPDX-License-Identifier: MIT
// A square filter slides over an image: one thread per element of the output.
// The filter has 2 radius + 1 rows and columns; outside the image there are zeros.

typedef float real;

__global__ void conv_naive(const real *image, const real *filter, real *output,
                           int rows, int cols, int radius)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < rows && col < cols) {
        int width = 2 * radius + 1;
        real sum = 0;
        for (int i = 0; i < width; i++)
            for (int j = 0; j < width; j++) {
                int r = row + i - radius;
                int c = col + j - radius;
                if (r >= 0 && r < rows && c >= 0 && c < cols)
                    sum += filter[i * width + j] * image[r * cols + c];
            }
        output[row * cols + col] = sum;
    }
}
