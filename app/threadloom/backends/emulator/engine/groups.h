// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of a warp, coalesced threads, and what they do together.
#pragma once
#include "builtins.h"

namespace cooperative_groups {

TL_INLINE unsigned tl_rank() {
    uint3 t = threadIdx;
    dim3 d = blockDim;
    return t.x + d.x * (t.y + d.y * t.z);
}

struct thread_block {
    TL_INLINE_MEMBER void sync() const { tl_barrier(0); }
    TL_INLINE_MEMBER unsigned thread_rank() const { return tl_rank(); }
    TL_INLINE_MEMBER unsigned size() const {
        dim3 d = blockDim;
        return d.x * d.y * d.z;
    }
    TL_INLINE_MEMBER unsigned num_threads() const { return size(); }
    TL_INLINE_MEMBER dim3 group_dim() const { return blockDim; }
    TL_INLINE_MEMBER dim3 dim_threads() const { return blockDim; }
    TL_INLINE_MEMBER dim3 group_index() const { return dim3(blockIdx); }
    TL_INLINE_MEMBER dim3 thread_index() const { return dim3(threadIdx); }
};
TL_INLINE thread_block this_thread_block() { return {}; }

// Threads of a warp whose lanes are in `lanes`; a tile is such a group with neighbouring lanes.
struct tl_lanes {
    unsigned lanes, first, count;
    TL_INLINE_MEMBER unsigned mask() const { return lanes; }
    TL_INLINE_MEMBER unsigned thread_rank() const {
        return (unsigned)__builtin_popcount(lanes & ((1u << (tl_rank() & 31)) - 1));
    }
    TL_INLINE_MEMBER unsigned size() const { return count; }
    TL_INLINE_MEMBER unsigned num_threads() const { return count; }
    TL_INLINE_MEMBER unsigned meta_group_rank() const { return tl_rank() / count; }
    TL_INLINE_MEMBER unsigned meta_group_size() const {
        return (this_thread_block().size() + count - 1) / count;
    }
    TL_INLINE_MEMBER void sync() const { tl_warp_sync(lanes); }
    TL_INLINE_MEMBER int any(int p) const { return (tl_ballot(lanes, p) & lanes) != 0; }
    TL_INLINE_MEMBER int all(int p) const { return (tl_ballot(lanes, !p) & lanes) == 0; }
    TL_INLINE_MEMBER unsigned ballot(int p) const { return packed(tl_ballot(lanes, p) & lanes); }
    template <class T> TL_INLINE_MEMBER unsigned match_any(T v) const {
        return packed(__match_any_sync(lanes, v));
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
template <unsigned N, class P = void> struct thread_block_tile : tl_lanes {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    TL_INLINE_MEMBER thread_block_tile() {
        unsigned start = (tl_rank() & 31) / N * N;
        lanes = (N == 32 ? ~0u : ((1u << (N & 31)) - 1)) << start;
        first = start;
        count = N;
    }
};
struct coalesced_group : tl_lanes {};
template <unsigned N, class G> TL_INLINE thread_block_tile<N> tiled_partition(const G &) { return {}; }
TL_INLINE coalesced_group coalesced_threads() {
    coalesced_group group;
    group.lanes = tl_active();
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

template <class T = int> struct plus { TL_INLINE_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T = int> struct bit_and { TL_INLINE_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T = int> struct bit_or { TL_INLINE_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T = int> struct bit_xor { TL_INLINE_MEMBER T operator()(T a, T b) const { return a ^ b; } };
template <class T = int> struct less { TL_INLINE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = int> struct greater { TL_INLINE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };

template <class T, class F> TL_INLINE T reduce(const tl_lanes &group, T value, F join) {
    return tl_reduced(group.lanes, value, join);
}
template <class T, class F> TL_UNSEEN static __attribute__((noinline)) T tl_scanned(
    const tl_lanes &group, T value, F join, bool inclusive) {
    tl_u64 values[32], bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    tl_u64 present = tl_gather(group.lanes, bits, values);
    T sum = T();
    bool any = false;
    unsigned me = tl_rank() & 31;
    for (unsigned lane = 0; lane < me + (inclusive ? 1 : 0); ++lane) {
        if (!(present >> lane & 1)) continue;
        T other;
        __builtin_memcpy(&other, &values[lane], sizeof(T));
        sum = any ? join(sum, other) : other;
        any = true;
    }
    return sum;
}
template <class T, class F> TL_INLINE T inclusive_scan(const tl_lanes &g, T v, F join) {
    return tl_scanned(g, v, join, true);
}
template <class T, class F> TL_INLINE T exclusive_scan(const tl_lanes &g, T v, F join) {
    return tl_scanned(g, v, join, false);
}
template <class T> TL_INLINE T inclusive_scan(const tl_lanes &g, T v) {
    return tl_scanned(g, v, plus<T>(), true);
}
template <class T> TL_INLINE T exclusive_scan(const tl_lanes &g, T v) {
    return tl_scanned(g, v, plus<T>(), false);
}

}  // namespace cooperative_groups
