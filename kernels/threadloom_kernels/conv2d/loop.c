// SPDX-License-Identifier: MIT
// A square filter slides over an image, on one thread of the CPU.

typedef float real;

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

void loop(const real *image, const real *filter, real *output, int rows, int cols, int radius)
{
    int width = 2 * radius + 1;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            real sum = 0;
            // Only what lies within the image; outside there are zeros.
            for (int r = larger(row - radius, 0); r <= smaller(row + radius, rows - 1); r++)
                for (int c = larger(col - radius, 0); c <= smaller(col + radius, cols - 1); c++)
                    sum += filter[(r - row + radius) * width + c - col + radius]
                         * image[r * cols + c];
            output[row * cols + col] = sum;
        }
}
