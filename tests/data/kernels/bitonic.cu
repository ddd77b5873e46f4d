// SPDX-License-Identifier: MIT
// Each block sorts its 2 * blockDim.x numbers; what is past the end counts as the largest.

__global__ void bitonic_sort(int *data, int n)
{
    extern __shared__ int row[];

    int t = threadIdx.x;
    int count = 2 * blockDim.x;
    int first = blockIdx.x * count;
    for (int i = t; i < count; i += blockDim.x)
        row[i] = first + i < n ? data[first + i] : 0x7fffffff;

    for (int run = 2; run <= count; run *= 2)
        for (int gap = run / 2; gap > 0; gap /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (gap - 1));
            int high = low + gap;
            bool rising = (low & run) == 0;
            int a = row[low], b = row[high];
            if ((a > b) == rising) {
                row[low] = b;
                row[high] = a;
            }
        }
    __syncthreads();

    for (int i = t; i < count; i += blockDim.x)
        if (first + i < n)
            data[first + i] = row[i];
}
