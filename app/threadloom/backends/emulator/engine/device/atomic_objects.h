// SPDX-License-Identifier: MIT
// cuda::atomic and cuda::atomic_ref over the atomic functions. An order other than relaxed is a fence.
#pragma once
#include "device/atomics.h"
#include "device/standard_library.h"

namespace cuda {
namespace std = ::std;

enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
    memory_order_acq_rel, memory_order_seq_cst
};
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
TL_INLINE void tl_fence_for(memory_order order) {
    if (order != memory_order_relaxed) tl_fence();
}
TL_INLINE void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) { tl_fence(); }

template <class T> TL_ATOMIC T tl_atomic_load(T *p) {
    TL_PROBE_ATOMIC(p);
    T value;
    __atomic_load(p, &value, __ATOMIC_SEQ_CST);
    return value;
}
#define TL_FETCH(name, function)                                                                  \
    TL_INLINE_MEMBER T name(T v, memory_order order = memory_order_seq_cst) const {               \
        tl_fence_for(order);                                                                      \
        return function(place(), v);                                                              \
    }
// What both kinds can do; D says where the value lies.
template <class T, class D> struct tl_atomic_value {
    TL_INLINE_MEMBER T *place() const { return static_cast<const D *>(this)->address(); }
    TL_INLINE_MEMBER T load(memory_order order = memory_order_seq_cst) const {
        T value = tl_atomic_load(place());
        tl_fence_for(order);
        return value;
    }
    TL_INLINE_MEMBER void store(T v, memory_order order = memory_order_seq_cst) const {
        tl_fence_for(order);
        atomicExch(place(), v);
    }
    TL_FETCH(exchange, atomicExch)
    TL_FETCH(fetch_add, atomicAdd)
    TL_FETCH(fetch_sub, tl_atomic_less)
    TL_FETCH(fetch_and, atomicAnd)
    TL_FETCH(fetch_or, atomicOr)
    TL_FETCH(fetch_xor, atomicXor)
    TL_FETCH(fetch_min, atomicMin)
    TL_FETCH(fetch_max, atomicMax)
    TL_INLINE_MEMBER bool compare_exchange_strong(T &expected, T v, memory_order order = memory_order_seq_cst) const {
        tl_fence_for(order);
        T old = atomicCAS(place(), expected, v);
        bool same = old == expected;
        expected = old;
        return same;
    }
    TL_INLINE_MEMBER bool compare_exchange_strong(T &e, T v, memory_order order, memory_order) const {
        return compare_exchange_strong(e, v, order);
    }
    TL_INLINE_MEMBER bool compare_exchange_weak(T &e, T v, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_strong(e, v, order);
    }
    TL_INLINE_MEMBER bool compare_exchange_weak(T &e, T v, memory_order order, memory_order) const {
        return compare_exchange_strong(e, v, order);
    }
    TL_INLINE_MEMBER operator T() const { return load(); }
    TL_INLINE_MEMBER T operator++() const { return fetch_add(1) + 1; }
    TL_INLINE_MEMBER T operator++(int) const { return fetch_add(1); }
    TL_INLINE_MEMBER T operator--() const { return fetch_sub(1) - 1; }
    TL_INLINE_MEMBER T operator--(int) const { return fetch_sub(1); }
    TL_INLINE_MEMBER T operator+=(T v) const { return fetch_add(v) + v; }
    TL_INLINE_MEMBER T operator-=(T v) const { return fetch_sub(v) - v; }
    template <class V> TL_INLINE_MEMBER static T tl_atomic_less(T *p, V v) { return atomicAdd(p, (T)-v); }
};
#undef TL_FETCH
template <class T, thread_scope S = thread_scope_system>
struct atomic_ref : tl_atomic_value<T, atomic_ref<T, S>> {
    T *at;
    TL_INLINE_MEMBER explicit atomic_ref(T &value) : at(&value) {}
    TL_INLINE_MEMBER T *address() const { return at; }
    TL_INLINE_MEMBER T operator=(T v) const { this->store(v); return v; }
};
template <class T, thread_scope S = thread_scope_system> struct atomic : tl_atomic_value<T, atomic<T, S>> {
    mutable T value;
    atomic() = default;
    constexpr TL_INLINE_MEMBER atomic(T v) : value(v) {}
    TL_INLINE_MEMBER T *address() const { return &value; }
    TL_INLINE_MEMBER T operator=(T v) const { this->store(v); return v; }
};

}  // namespace cuda
