// SPDX-License-Identifier: MIT
// Calls the kernel with arguments from memory. The kernel's own type says what they are.
#pragma once
#include "device/builtins.h"

template <class T> struct tl_bare { typedef T type; };
template <class T> struct tl_bare<const T> { typedef T type; };
template <tl_u64... I> struct tl_indices {};

// Arguments lie one after another, each at a multiple of its alignment, as in a CUDA launch.
template <class... P> constexpr tl_u64 tl_argument_offset(tl_u64 wanted) {
    const tl_u64 sizes[] = {sizeof(P)..., 0}, aligns[] = {alignof(P)..., 1};
    tl_u64 at = 0;
    for (tl_u64 i = 0;; ++i) {
        at = (at + aligns[i] - 1) / aligns[i] * aligns[i];
        if (i == wanted) return at;
        at += sizes[i];
    }
}

template <auto K, class F> struct tl_caller;
template <auto K, class... P> struct tl_caller<K, void (*)(P...)> {
    template <tl_u64... I> TL_UNINSTRUMENTED static void thread(char *a, tl_indices<I...>) {
        K(*(typename tl_bare<P>::type *)(a + tl_argument_offset<P...>(I))...);
    }
    template <tl_u64... I> TL_UNINSTRUMENTED static void block(char *a, tl_indices<I...>) {
        all(*(typename tl_bare<P>::type *)(a + tl_argument_offset<P...>(I))...);
    }
    // The arguments are values here, so that no store of the kernel can change them.
    TL_UNINSTRUMENTED static __attribute__((noinline)) void all(P... p) {
        tl_dim size = tl_block_dim;
        for (tl_u32 z = 0; z < size.z; ++z)
            for (tl_u32 y = 0; y < size.y; ++y)
                for (tl_u32 x = 0; x < size.x; ++x) {
                    tl_now.thread = {x, y, z};
                    K(p...);
                }
    }
    static constexpr tl_u64 count = sizeof...(P);
    static constexpr tl_u64 bytes = tl_argument_offset<P...>(sizeof...(P));
};
template <tl_u64 N, tl_u64... I> struct tl_counted : tl_counted<N - 1, N - 1, I...> {};
template <tl_u64... I> struct tl_counted<0, I...> { typedef tl_indices<I...> type; };

// What is known of the control flow: of an observed kernel it is added when it has been compiled.
#ifdef TL_OBSERVED
#define TL_NO_FLOW
#else
#define TL_NO_FLOW                                                                                \
    extern "C" TL_HIDDEN TL_UNINSTRUMENTED const tl_u32 *tl_flow_table() { return nullptr; }
#endif

// Stands behind the user's text, whose macros may have any name, so it has only names of our own.
#define TL_ENTRY(...)                                                                             \
    typedef tl_caller<&__VA_ARGS__, decltype(&__VA_ARGS__)> tl_this_kernel;                       \
    extern "C" TL_HIDDEN TL_UNINSTRUMENTED void tl_enter(char *tl_arguments) {                    \
        tl_this_kernel::thread(tl_arguments, tl_counted<tl_this_kernel::count>::type());          \
    }                                                                                             \
    extern "C" TL_HIDDEN TL_UNINSTRUMENTED void tl_enter_block(char *tl_arguments) {              \
        tl_this_kernel::block(tl_arguments, tl_counted<tl_this_kernel::count>::type());           \
    }                                                                                             \
    extern "C" TL_HIDDEN TL_UNINSTRUMENTED tl_u64 tl_argument_bytes() { return tl_this_kernel::bytes; } \
    TL_NO_FLOW
