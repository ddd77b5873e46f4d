// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of it, and the threads that happen to be together.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void ranks(int *o)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int *mine = o + 6 * block.thread_rank();
    mine[0] = block.thread_rank();
    mine[1] = block.size();
    mine[2] = block.group_index().x * 1000 + block.thread_index().y;
    mine[3] = tile.thread_rank();
    mine[4] = tile.meta_group_rank();
    mine[5] = tile.meta_group_size() * 100 + tile.size();
}

__global__ void collectives(const int *a, int *o)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    int i = block.thread_rank(), *mine = o + 12 * i;
    mine[0] = cg::reduce(warp, a[i], cg::plus<int>());
    mine[1] = cg::reduce(tile, a[i], cg::less<int>());
    mine[2] = cg::reduce(tile, a[i], cg::greater<int>());
    mine[3] = cg::inclusive_scan(tile, a[i]);
    mine[4] = cg::exclusive_scan(warp, a[i], cg::plus<int>());
    mine[5] = tile.shfl(a[i], 2);
    mine[6] = tile.shfl_up(a[i], 1);
    mine[7] = tile.shfl_down(a[i], 3);
    mine[8] = tile.shfl_xor(a[i], 5);
    mine[9] = tile.any(a[i] > 90) + 2 * tile.all(a[i] < 95);
    mine[10] = tile.ballot(a[i] > 50);
    mine[11] = warp.match_any(a[i] % 4);
}

// One atomic for all threads that take the branch, as in a stream compaction.
__global__ void compaction(const int *a, int *o, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 50) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(count, (int)active.size());
        o[active.shfl(first, 0) + active.thread_rank()] = a[i];
    }
}

__global__ void synchronised(int *a)
{
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank();
    s[i] = a[i];
    block.sync();
    int other = s[block.size() - 1 - i];
    cg::sync(block);
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(block);
    s[i] = other;
    tile.sync();
    a[i] = s[i / 4 * 4] + other;
}
