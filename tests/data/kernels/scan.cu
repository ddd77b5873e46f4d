// SPDX-License-Identifier: MIT
// Exclusive prefix sums within each block: up the tree, then down again. A thread has two elements.

__global__ void scan(const int *x, int *out, int *totals, int n)
{
    extern __shared__ int tree[];

    int t = threadIdx.x;
    int count = 2 * blockDim.x;
    int first = blockIdx.x * count;
    for (int i = t; i < count; i += blockDim.x)
        tree[i] = first + i < n ? x[first + i] : 0;

    // Up: each node becomes the sum of its leaves.
    int step = 1;
    for (int nodes = blockDim.x; nodes > 0; nodes >>= 1) {
        __syncthreads();
        if (t < nodes) {
            int left = step * (2 * t + 1) - 1;
            tree[left + step] += tree[left];
        }
        step *= 2;
    }

    if (t == 0) {
        totals[blockIdx.x] = tree[count - 1];
        tree[count - 1] = 0;
    }

    // Down: a left child takes over from its parent, a right one adds its sibling's sum.
    for (int nodes = 1; nodes < count; nodes *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < nodes) {
            int left = step * (2 * t + 1) - 1;
            int sum = tree[left];
            tree[left] = tree[left + step];
            tree[left + step] += sum;
        }
    }
    __syncthreads();

    for (int i = t; i < count; i += blockDim.x)
        if (first + i < n)
            out[first + i] = tree[i];
}

__global__ void add_offsets(int *out, const int *offsets, int per_block, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[i / per_block];
}
