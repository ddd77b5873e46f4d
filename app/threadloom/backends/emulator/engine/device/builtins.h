// SPDX-License-Identifier: MIT
// Qualifiers, built-in variables, barriers and warp functions of CUDA C++.
#pragma once
#include "device/engine_calls.h"
#include "device/state.h"
#include "device/types.h"

#define __CUDA_ARCH__ 900
#define __CUDACC__ 1
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#ifdef TL_OBSERVED
#define __global__ __attribute__((noinline))
#else
#define __global__
#endif
#define TL_UNINSTRUMENTED __attribute__((no_sanitize("coverage")))

#if defined(__APPLE__)
#define TL_SHARED_SECTION "__DATA,tl_shared"
extern "C" char tl_shared_start __asm("section$start$__DATA$tl_shared");
#else
#define TL_SHARED_SECTION "tl_shared"
extern "C" TL_HIDDEN char __start_tl_shared[];
#define tl_shared_start (*__start_tl_shared)
#endif
#if defined(__ELF__)
#define TL_KEPT used, retain
#else
#define TL_KEPT used
#endif
#define __shared__ static __attribute__((section(TL_SHARED_SECTION), TL_KEPT))

// The memory of a shared variable; behind it lies unused memory, so that small strays do not hit the
// next one. How much more than 256 bytes the other symbol has says how large an element is.
// Plain bytes: a shared variable of a class is not constructed.
template <class T> struct tl_padded {
    alignas(T) char value[sizeof(T)];
    char behind[256];
};
// As nvcc places them: any vector may lie at the start of an array.
#define TL_PLACE(number, type) alignas(16) __shared__ tl_padded<type> _tlvar##number##_;
#define TL_ITEM(number, element) __shared__ char _tlitem##number##_[256 + sizeof(element)];
__shared__ char tl_not_empty;

// A variable at file scope: its address stands in a table that the engine fills in, see memory.cpp.
#define TL_GLOBAL __attribute__((visibility("default"), TL_KEPT))
#define TL_OPEN __attribute__((weak))   // keeps the compiler from reasoning about an index that is too large
#define TL_NAMED(number) __asm("tlglobal" #number "_")
#define TL_GLOBAL_ITEM(number, element)                                                           \
    static __attribute__((section("tl_notes"), TL_KEPT)) char _tlelement##number##_[sizeof(element)];

// In the instrumented build the engine's own reads must not be traced, so they are hidden in an asm.
template <class T> static inline __attribute__((always_inline, nodebug)) T tl_hidden_read(const T &place) {
#if defined(TL_OBSERVED) && defined(__x86_64__)
    T value;
    if constexpr (sizeof(T) == 4) __asm("movl %1, %0" : "=r"(value) : "m"(place));
    else __asm("movq %1, %0" : "=r"(value) : "m"(place));
    return value;
#elif defined(TL_OBSERVED) && defined(__aarch64__)
    T value;
    if constexpr (sizeof(T) == 4) __asm("ldr %w0, %1" : "=r"(value) : "m"(place));
    else __asm("ldr %0, %1" : "=r"(value) : "m"(place));
    return value;
#else
    return place;
#endif
}

static inline __attribute__((always_inline, nodebug)) uint3 tl_hidden_read3(const tl_dim &d) {
    return {tl_hidden_read(d.x), tl_hidden_read(d.y), tl_hidden_read(d.z)};
}
#define threadIdx (tl_hidden_read3(tl_now.thread))
#define blockIdx (tl_hidden_read3(tl_now.block))
#define blockDim (dim3(tl_hidden_read3(tl_block_dim)))
#define gridDim (dim3(tl_hidden_read3(tl_grid_dim)))
#define warpSize 32

template <class T> static inline __attribute__((always_inline, nodebug)) T &_tl_shared(tl_padded<T> &place) {
    return *(T *)(tl_hidden_read(tl_now.shared) + ((char *)&place - &tl_shared_start));
}
static inline __attribute__((always_inline, nodebug)) void *_tl_dynamic() {
    return tl_hidden_read(tl_now.shared) + tl_hidden_read(tl_dynamic_offset);
}

#define TL_INLINE static inline __attribute__((always_inline, nodebug))
#define TL_INLINE_MEMBER inline __attribute__((always_inline, nodebug))
// The line identifies a barrier: the compiler may make several copies of the call.
#define __syncthreads() tl_barrier(__LINE__)
#define __syncthreads_count(p) ((int)tl_barrier_vote(__LINE__, (p) != 0, 0))
#define __syncthreads_and(p) ((int)tl_barrier_vote(__LINE__, (p) != 0, 1))
#define __syncthreads_or(p) ((int)tl_barrier_vote(__LINE__, (p) != 0, 2))
TL_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { tl_warp_sync(mask); }
TL_INLINE void __threadfence() { tl_fence(); }
TL_INLINE void __threadfence_block() { tl_fence(); }
TL_INLINE void __threadfence_system() { tl_fence(); }
TL_INLINE unsigned __activemask() { return tl_active_mask(); }
TL_INLINE unsigned __ballot_sync(unsigned mask, int p) { return tl_ballot(mask, p); }
TL_INLINE int __any_sync(unsigned mask, int p) { return tl_ballot(mask, p) != 0; }
TL_INLINE int __all_sync(unsigned mask, int p) { return tl_ballot(mask, !p) == 0; }
TL_INLINE int __uni_sync(unsigned mask, int p) {
    return __all_sync(mask, p) || !__any_sync(mask, p);
}
TL_INLINE unsigned __laneid() {
    uint3 t = threadIdx;
    dim3 d = blockDim;
    return (t.x + d.x * (t.y + d.y * t.z)) & 31u;
}

// Shuffles move any value of up to eight bytes.
template <class T> TL_INLINE TL_UNINSTRUMENTED T tl_shuffled(unsigned mask, T value, int lane, int width, int how) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most eight bytes");
    tl_u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = tl_shuffle(mask, bits, lane, width, how);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
template <class T> TL_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
    return tl_shuffled(mask, value, lane, width, 0);
}
template <class T> TL_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    return tl_shuffled(mask, value, (int)by, width, 1);
}
template <class T> TL_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    return tl_shuffled(mask, value, (int)by, width, 2);
}
template <class T> TL_INLINE T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32) {
    return tl_shuffled(mask, value, with, width, 3);
}

template <class T, class F> TL_UNINSTRUMENTED static __attribute__((noinline, nodebug)) T tl_reduced(unsigned mask, T value, F join) {
    tl_u64 values[32];
    tl_u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    tl_u64 present = tl_gather(mask, bits, values);
    bool first = true;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(present >> lane & 1)) continue;
        T other;
        __builtin_memcpy(&other, &values[lane], sizeof(T));
        value = first ? other : join(value, other);
        first = false;
    }
    return value;
}
#define TL_REDUCE(name, T, expression)                                                            \
    TL_INLINE T __reduce_##name##_sync(unsigned mask, T value) {                                  \
        return tl_reduced(mask, value, [](T a, T b) -> T { return expression; });                 \
    }
TL_REDUCE(add, int, a + b)
TL_REDUCE(add, unsigned, a + b)
TL_REDUCE(min, int, a < b ? a : b)
TL_REDUCE(min, unsigned, a < b ? a : b)
TL_REDUCE(max, int, a > b ? a : b)
TL_REDUCE(max, unsigned, a > b ? a : b)
TL_REDUCE(and, unsigned, a &b)
TL_REDUCE(or, unsigned, a | b)
TL_REDUCE(xor, unsigned, a ^ b)
#undef TL_REDUCE
template <class T> TL_UNINSTRUMENTED static __attribute__((noinline)) unsigned __match_any_sync(unsigned mask, T value) {
    tl_u64 values[32], bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    tl_u64 present = tl_gather(mask, bits, values);
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane)
        if ((present >> lane & 1) && values[lane] == bits) same |= 1u << lane;
    return same;
}
template <class T> TL_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all) {
    unsigned same = __match_any_sync(mask, value);
    *all = same == mask;
    return *all ? mask : 0u;
}

// As CUDA's, it returns how many arguments it was given (C++ guide, "Formatted Output").
template <class... A> char (&tl_arguments(const char *, A...))[sizeof...(A) + 1];
TL_INLINE int tl_printed(int, int given) { return given; }
#define printf(...) tl_printed(tl_print(__VA_ARGS__), (int)sizeof(tl_arguments(__VA_ARGS__)) - 1)
#define assert(condition) ((condition) ? (void)0 : tl_assert_failed(#condition, __LINE__))
TL_INLINE void __trap() { tl_trap(); }
TL_INLINE void __brkpt() { tl_trap(); }
#define __prof_trigger(counter) ((void)(counter))
#define __builtin_unreachable() tl_trap()
TL_INLINE long long clock64() { return (long long)tl_clock(); }
typedef long clock_t;
TL_INLINE clock_t clock() { return (clock_t)tl_clock(); }
TL_INLINE void __nanosleep(unsigned) {}
template <class T> TL_INLINE T __ldg(const T *p) { return *p; }
template <class T> TL_INLINE T __ldcg(const T *p) { return *p; }
template <class T> TL_INLINE T __ldca(const T *p) { return *p; }
template <class T> TL_INLINE T __ldcs(const T *p) { return *p; }
template <class T> TL_INLINE void __stcg(T *p, T v) { *p = v; }
template <class T> TL_INLINE void __stcs(T *p, T v) { *p = v; }
