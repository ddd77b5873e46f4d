// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of a warp, coalesced threads, and their collective functions.
#pragma once
#include "device/builtins.h"

namespace cooperative_groups {

TL_INLINE unsigned tl_rank() {
    uint3 t = threadIdx;
    dim3 d = blockDim;
    return t.x + d.x * (t.y + d.y * t.z);
}

struct thread_block {
    TL_INLINE_MEMBER static void sync() { tl_barrier(0); }
    TL_INLINE_MEMBER static unsigned thread_rank() { return tl_rank(); }
    TL_INLINE_MEMBER static unsigned size() {
        dim3 d = blockDim;
        return d.x * d.y * d.z;
    }
    TL_INLINE_MEMBER static unsigned num_threads() { return size(); }
    TL_INLINE_MEMBER static dim3 group_dim() { return blockDim; }
    TL_INLINE_MEMBER static dim3 dim_threads() { return blockDim; }
    TL_INLINE_MEMBER static dim3 group_index() { return dim3(blockIdx); }
    TL_INLINE_MEMBER static dim3 thread_index() { return dim3(threadIdx); }
};
TL_INLINE thread_block this_thread_block() { return {}; }

// All threads of a cooperative launch, whose blocks run at once.
struct grid_group {
    TL_INLINE_MEMBER static bool is_valid() { return true; }
    TL_INLINE_MEMBER static void sync() { tl_grid_sync(); }
    TL_INLINE_MEMBER static unsigned long long num_blocks() {
        dim3 d = gridDim;
        return (unsigned long long)d.x * d.y * d.z;
    }
    TL_INLINE_MEMBER static unsigned long long block_rank() {
        dim3 d = gridDim, b = dim3(blockIdx);
        return b.x + (unsigned long long)d.x * (b.y + (unsigned long long)d.y * b.z);
    }
    TL_INLINE_MEMBER static unsigned long long size() { return num_blocks() * thread_block::size(); }
    TL_INLINE_MEMBER static unsigned long long num_threads() { return size(); }
    TL_INLINE_MEMBER static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + tl_rank();
    }
    TL_INLINE_MEMBER static dim3 group_dim() { return gridDim; }
    TL_INLINE_MEMBER static dim3 dim_blocks() { return gridDim; }
    TL_INLINE_MEMBER static dim3 block_index() { return dim3(blockIdx); }
};
TL_INLINE grid_group this_grid() { return {}; }

// Threads of a warp whose lanes are in `lanes`; a tile is such a group with neighboring lanes.
struct tl_lanes {
    unsigned lanes, first, count;
    TL_INLINE_MEMBER unsigned mask() const { return lanes; }
    TL_INLINE_MEMBER unsigned thread_rank() const {
        return (unsigned)__builtin_popcount(lanes & ((1u << (tl_rank() & 31)) - 1));
    }
    TL_INLINE_MEMBER unsigned size() const { return count; }
    TL_INLINE_MEMBER unsigned num_threads() const { return count; }
    TL_INLINE_MEMBER void sync() const { tl_warp_sync(lanes); }
    TL_INLINE_MEMBER int any(int p) const { return (tl_ballot(lanes, p) & lanes) != 0; }
    TL_INLINE_MEMBER int all(int p) const { return (tl_ballot(lanes, !p) & lanes) == 0; }
    TL_INLINE_MEMBER unsigned ballot(int p) const { return packed(tl_ballot(lanes, p) & lanes); }
    template <class T> TL_INLINE_MEMBER unsigned match_any(T v) const {
        return packed(__match_any_sync(lanes, v));
    }
    template <class T> TL_INLINE_MEMBER unsigned match_all(T v, int &all) const {
        unsigned same = __match_any_sync(lanes, v);
        all = same == lanes;
        return all ? packed(lanes) : 0u;
    }
    template <class T> TL_INLINE_MEMBER T shfl(T v, unsigned rank) const {
        return tl_shuffled(lanes, v, (int)lane_of(rank % count), 32, 0);
    }
    template <class T> TL_INLINE_MEMBER T shfl_down(T v, unsigned by) const {
        unsigned me = thread_rank();
        return tl_shuffled(lanes, v, (int)lane_of(me + by < count ? me + by : me), 32, 0);
    }
    template <class T> TL_INLINE_MEMBER T shfl_up(T v, unsigned by) const {
        unsigned me = thread_rank();
        return tl_shuffled(lanes, v, (int)lane_of(me >= by ? me - by : me), 32, 0);
    }
    template <class T> TL_INLINE_MEMBER T shfl_xor(T v, unsigned with) const {
        unsigned to = thread_rank() ^ with;
        return tl_shuffled(lanes, v, (int)lane_of(to < count ? to : thread_rank()), 32, 0);
    }
    TL_INLINE_MEMBER unsigned lane_of(unsigned rank) const {
        unsigned left = lanes;
        while (rank--) left &= left - 1;
        return (unsigned)__builtin_ctz(left);
    }
    TL_INLINE_MEMBER unsigned packed(unsigned votes) const {
        unsigned result = 0, rank = 0;
        for (unsigned left = lanes; left; left &= left - 1, ++rank)
            result |= (votes >> __builtin_ctz(left) & 1u) << rank;
        return result;
    }
};
template <unsigned N> struct tl_tile : tl_lanes {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    TL_INLINE_MEMBER tl_tile() {
        unsigned start = (tl_rank() & 31) / N * N;
        lanes = (N == 32 ? ~0u : ((1u << (N & 31)) - 1)) << start;
        first = start;
        count = N;
    }
    TL_INLINE_MEMBER static constexpr unsigned size() { return N; }
    TL_INLINE_MEMBER static constexpr unsigned num_threads() { return N; }
    TL_INLINE_MEMBER static unsigned thread_rank() { return tl_rank() & (N - 1); }
};
// P is the group that it is a part of; without one, as after a conversion, it is taken as the block.
template <unsigned N, class P = void> struct thread_block_tile : tl_tile<N> {
    thread_block_tile() = default;
    template <class Q> TL_INLINE_MEMBER thread_block_tile(const thread_block_tile<N, Q> &) {}
    TL_INLINE_MEMBER static unsigned meta_group_rank() { return tl_rank() % whole((P *)nullptr) / N; }
    TL_INLINE_MEMBER static unsigned meta_group_size() { return (whole((P *)nullptr) + N - 1) / N; }
    template <unsigned M, class Q> TL_INLINE_MEMBER static unsigned whole(thread_block_tile<M, Q> *) { return M; }
    TL_INLINE_MEMBER static unsigned whole(const void *) { return thread_block::size(); }
};
struct coalesced_group : tl_lanes {
    TL_INLINE_MEMBER static unsigned meta_group_rank() { return 0; }
    TL_INLINE_MEMBER static unsigned meta_group_size() { return 1; }
};
template <unsigned N, class G> TL_INLINE thread_block_tile<N, G> tiled_partition(const G &) { return {}; }
TL_INLINE coalesced_group coalesced_threads() {
    coalesced_group group;
    group.lanes = tl_active_mask();
    group.first = (unsigned)__builtin_ctz(group.lanes);
    group.count = (unsigned)__builtin_popcount(group.lanes);
    return group;
}

TL_INLINE coalesced_group tl_group_of(unsigned lanes) {
    coalesced_group group;
    group.lanes = lanes;
    group.first = (unsigned)__builtin_ctz(lanes);
    group.count = (unsigned)__builtin_popcount(lanes);
    return group;
}
template <class T> TL_INLINE coalesced_group labeled_partition(const tl_lanes &group, T label) {
    return tl_group_of(__match_any_sync(group.lanes, label));
}
// Neighbors by rank.
TL_INLINE coalesced_group tiled_partition(const coalesced_group &group, unsigned size) {
    unsigned part = group.thread_rank() / size, lanes = 0, rank = 0;
    for (unsigned left = group.lanes; left; left &= left - 1, ++rank)
        if (rank / size == part) lanes |= left & -left;
    return tl_group_of(lanes);
}
TL_INLINE coalesced_group binary_partition(const tl_lanes &group, bool part) {
    return labeled_partition(group, (int)part);
}

// Any of these groups, for functions that take whichever they get. Without lanes it is the block.
struct thread_group : tl_lanes {
    TL_INLINE_MEMBER thread_group(const thread_block &block) : tl_lanes{0, 0, block.size()} {}
    TL_INLINE_MEMBER thread_group(const tl_lanes &group) : tl_lanes(group) {}
    TL_INLINE_MEMBER unsigned thread_rank() const { return lanes ? tl_lanes::thread_rank() : tl_rank(); }
    TL_INLINE_MEMBER void sync() const {
        if (lanes) tl_lanes::sync();
        else tl_barrier(0);
    }
};
TL_INLINE thread_group tiled_partition(const thread_group &, unsigned size) {
    unsigned start = (tl_rank() & 31) / size * size;
    return tl_group_of((size == 32 ? ~0u : (1u << (size & 31)) - 1) << start);
}

template <class G> TL_INLINE void sync(const G &group) { group.sync(); }
template <class G> TL_INLINE unsigned thread_rank(const G &group) { return group.thread_rank(); }
template <class G> TL_INLINE unsigned group_size(const G &group) { return group.size(); }

template <class G, class F, class... A> TL_INLINE void invoke_one(const G &group, F &&f, A &&...a) {
    if (group.thread_rank() == 0) f(a...);
}

}  // namespace cooperative_groups
