// SPDX-License-Identifier: MIT
// Collective operations of cooperative groups: reductions, scans and copies.
#pragma once
#include "device/groups.h"
#include "device/async_copy.h"

namespace cooperative_groups {

template <class T = int> struct plus { TL_INLINE_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T = int> struct bit_and { TL_INLINE_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T = int> struct bit_or { TL_INLINE_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T = int> struct bit_xor { TL_INLINE_MEMBER T operator()(T a, T b) const { return a ^ b; } };
template <class T = int> struct less { TL_INLINE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = int> struct greater { TL_INLINE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };

template <class T, class F> TL_INLINE T reduce(const tl_lanes &group, T value, F join) {
    return tl_reduced(group.lanes, value, join);
}
template <class T, class F> TL_UNINSTRUMENTED static __attribute__((noinline)) T tl_scanned(
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

// A copy may be done at any time before it is waited for: here each thread makes its part at once.
template <class G> TL_INLINE void memcpy_async(const G &group, void *to, const void *from, size_t bytes) {
    tl_copied_by(to, from, bytes, group.thread_rank(), group.size());
}
template <class G, class T, class U>
TL_INLINE void memcpy_async(const G &group, T *to, size_t most, const U *from, size_t count) {
    static_assert(sizeof(T) == sizeof(U), "elements of one size");
    memcpy_async(group, (void *)to, (const void *)from, (most < count ? most : count) * sizeof(T));
}
template <class G> TL_INLINE void wait(const G &group) { group.sync(); }
template <unsigned N, class G> TL_INLINE void wait_prior(const G &group) { group.sync(); }

}  // namespace cooperative_groups
