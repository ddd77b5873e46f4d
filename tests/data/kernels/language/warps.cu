// SPDX-License-Identifier: MIT
// What the lanes of a warp do together: shuffles, votes, reductions, matches.

#define ALL 0xffffffffu

__global__ void shuffles(const int *a, const double *b, int *o, double *d)
{
    int i = threadIdx.x;
    int *mine = o + 6 * i;
    mine[0] = __shfl_sync(ALL, a[i], 7);
    mine[1] = __shfl_sync(ALL, a[i], i + 3, 16);
    mine[2] = __shfl_up_sync(ALL, a[i], 3);
    mine[3] = __shfl_down_sync(ALL, a[i], 5, 8);
    mine[4] = __shfl_xor_sync(ALL, a[i], 6);
    mine[5] = (int)__shfl_sync(ALL, (unsigned char)a[i], 31 - i % 32);
    d[2 * i] = __shfl_xor_sync(ALL, b[i], 16);
    d[2 * i + 1] = __shfl_up_sync(ALL, b[i], 1, 4);
}

__global__ void votes(const int *a, unsigned int *o)
{
    int i = threadIdx.x;
    unsigned int *mine = o + 5 * i;
    mine[0] = __ballot_sync(ALL, a[i] > 50);
    mine[1] = __any_sync(ALL, a[i] > 95) + 2 * __all_sync(ALL, a[i] >= 0);
    unsigned int odd = __ballot_sync(ALL, i % 2);
    mine[2] = mine[3] = 0;
    if (i % 2)
        mine[2] = __ballot_sync(odd, a[i] % 3 == 0);
    else
        mine[3] = __popc(__activemask());
    __syncwarp();
    mine[4] = __shfl_sync(ALL, mine[2], 1);
}

__global__ void reductions(const int *a, int *o, unsigned int *u)
{
    int i = threadIdx.x;
    unsigned int v = (unsigned int)a[i];
    o[3 * i] = __reduce_add_sync(ALL, a[i] - 50);
    o[3 * i + 1] = __reduce_min_sync(ALL, a[i] - 50);
    o[3 * i + 2] = __reduce_max_sync(ALL, a[i] - 50);
    u[6 * i] = __reduce_add_sync(ALL, v);
    u[6 * i + 1] = __reduce_min_sync(ALL, v);
    u[6 * i + 2] = __reduce_max_sync(ALL, v);
    u[6 * i + 3] = __reduce_and_sync(ALL, v | 1u);
    u[6 * i + 4] = __reduce_or_sync(ALL, v);
    u[6 * i + 5] = __reduce_xor_sync(ALL, v);
}

__global__ void matches(const int *a, unsigned int *o, int *all)
{
    int i = threadIdx.x, same;
    o[2 * i] = __match_any_sync(ALL, a[i] % 5);
    o[2 * i + 1] = __match_all_sync(ALL, i / 32, &same);
    all[i] = same;
}

// An exclusive sum over each warp, then over the warps.
__global__ void scan(const int *a, int *o)
{
    __shared__ int totals[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int mine = a[threadIdx.x], sum = mine;
    for (int by = 1; by < warpSize; by *= 2) {
        int below = __shfl_up_sync(ALL, sum, by);
        if (lane >= by)
            sum += below;
    }
    if (lane == warpSize - 1)
        totals[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int total = lane < blockDim.x / warpSize ? totals[lane] : 0;
        for (int by = 1; by < warpSize; by *= 2) {
            int below = __shfl_up_sync(ALL, total, by);
            if (lane >= by)
                total += below;
        }
        totals[lane] = total;
    }
    __syncthreads();
    o[threadIdx.x] = sum - mine + (warp > 0 ? totals[warp - 1] : 0);
}
