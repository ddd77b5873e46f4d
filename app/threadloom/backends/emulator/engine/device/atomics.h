// SPDX-License-Identifier: MIT
// Atomic functions, on shared and global memory alike.
#pragma once
#include "device/builtins.h"

#ifdef TL_OBSERVED
#define TL_PROBE_ATOMIC(p) tl_atomic((const volatile void *)(p), sizeof(*(p)))
#define TL_ATOMIC TL_UNINSTRUMENTED static __attribute__((noinline))
#else
#define TL_PROBE_ATOMIC(p) ((void)0)
#define TL_ATOMIC static inline
#endif

// A read-modify-write of any type of two, four or eight bytes, by compare-and-swap on its bits.
template <class B, class T, class F> TL_UNINSTRUMENTED static inline T tl_swapped(T *address, F next) {
    B *place = (B *)address;
    B seen = __atomic_load_n(place, __ATOMIC_RELAXED), wanted;
    T old;
    do {
        __builtin_memcpy(&old, &seen, sizeof(T));
        T value = next(old);
        __builtin_memcpy(&wanted, &value, sizeof(T));
    } while (!__atomic_compare_exchange_n(place, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

// A GPU first counts the lanes that add a constant 1 to one word of 32 bits in shared memory, and
// then adds once: such an addition has a probe of its own.
#ifdef TL_OBSERVED
#define TL_PROBE_INCREMENT(p) tl_atomic_increment((const volatile void *)(p))
#define TL_IS_ONE(v) (__builtin_constant_p(v) && (v) == 1)
#else
#define TL_PROBE_INCREMENT(p) ((void)0)
#define TL_IS_ONE(v) false
#endif
#define TL_COUNTER(T)                                                                             \
    TL_ATOMIC T tl_add(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_add(p, v, 0); }     \
    TL_ATOMIC T tl_add_one(T *p) { TL_PROBE_INCREMENT(p); return __atomic_fetch_add(p, 1, 0); }   \
    TL_INLINE T atomicAdd(T *p, T v) { return TL_IS_ONE(v) ? tl_add_one(p) : tl_add(p, v); }
TL_COUNTER(int)
TL_COUNTER(unsigned int)
#undef TL_COUNTER
#define TL_ADDED(T)                                                                               \
    TL_ATOMIC T atomicAdd(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_add(p, v, 0); }
TL_ADDED(long long)
TL_ADDED(unsigned long long)
TL_ADDED(unsigned long)
TL_ADDED(long)
TL_ADDED(unsigned short)
#undef TL_ADDED

#define TL_INTEGER(T)                                                                             \
    TL_ATOMIC T atomicSub(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_sub(p, v, 0); }  \
    TL_ATOMIC T atomicMin(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_min(p, v, 0); }  \
    TL_ATOMIC T atomicMax(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_max(p, v, 0); }  \
    TL_ATOMIC T atomicAnd(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_and(p, v, 0); }  \
    TL_ATOMIC T atomicOr(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_or(p, v, 0); }    \
    TL_ATOMIC T atomicXor(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_fetch_xor(p, v, 0); }  \
    TL_ATOMIC T atomicExch(T *p, T v) { TL_PROBE_ATOMIC(p); return __atomic_exchange_n(p, v, 0); } \
    TL_ATOMIC T atomicCAS(T *p, T compare, T v) {                                                 \
        TL_PROBE_ATOMIC(p);                                                                       \
        __atomic_compare_exchange_n(p, &compare, v, false, 0, 0);                                 \
        return compare;                                                                           \
    }
TL_INTEGER(int)
TL_INTEGER(unsigned int)
TL_INTEGER(long long)
TL_INTEGER(unsigned long long)
TL_INTEGER(unsigned long)
TL_INTEGER(long)
TL_INTEGER(unsigned short)
#undef TL_INTEGER

#define TL_FLOATING(T, B)                                                                         \
    TL_ATOMIC T atomicAdd(T *p, T v) {                                                            \
        TL_PROBE_ATOMIC(p);                                                                       \
        return tl_swapped<B>(p, [v](T old) { return (T)(old + v); });                             \
    }                                                                                             \
    TL_ATOMIC T atomicExch(T *p, T v) {                                                           \
        TL_PROBE_ATOMIC(p);                                                                       \
        return tl_swapped<B>(p, [v](T) { return v; });                                            \
    }
TL_FLOATING(float, tl_u32)
TL_FLOATING(double, tl_u64)

TL_ATOMIC unsigned atomicInc(unsigned *p, unsigned limit) {
    TL_PROBE_ATOMIC(p);
    return tl_swapped<tl_u32>(p, [limit](unsigned old) { return old >= limit ? 0u : old + 1u; });
}
TL_ATOMIC unsigned atomicDec(unsigned *p, unsigned limit) {
    TL_PROBE_ATOMIC(p);
    return tl_swapped<tl_u32>(
        p, [limit](unsigned old) { return old == 0 || old > limit ? limit : old - 1u; });
}
// Vectors of floats are added part by part, and only each part by itself is atomic.
#define TL_VECTOR_PART(x) old.x = tl_swapped<tl_u32>(&p->x, [v](float was) { return was + v.x; });
TL_ATOMIC float2 atomicAdd(float2 *p, float2 v) {
    TL_PROBE_ATOMIC(p);
    float2 old;
    TL_VECTOR_PART(x) TL_VECTOR_PART(y)
    return old;
}
TL_ATOMIC float4 atomicAdd(float4 *p, float4 v) {
    TL_PROBE_ATOMIC(p);
    float4 old;
    TL_VECTOR_PART(x) TL_VECTOR_PART(y) TL_VECTOR_PART(z) TL_VECTOR_PART(w)
    return old;
}
#undef TL_VECTOR_PART

// As in CUDA, a literal of another integer type finds its function.
#define TL_MIXED(name)                                                                            \
    TL_INLINE unsigned name(unsigned *p, int v) { return name(p, (unsigned)v); }                  \
    TL_INLINE unsigned long long name(unsigned long long *p, int v) {                             \
        return name(p, (unsigned long long)v);                                                    \
    }
TL_MIXED(atomicAdd)
TL_MIXED(atomicSub)
TL_MIXED(atomicMin)
TL_MIXED(atomicMax)
TL_MIXED(atomicExch)
TL_MIXED(atomicOr)
TL_MIXED(atomicAnd)
TL_MIXED(atomicXor)
#undef TL_MIXED
TL_INLINE float atomicAdd(float *p, double v) { return atomicAdd(p, (float)v); }
TL_INLINE float atomicAdd(float *p, int v) { return atomicAdd(p, (float)v); }
TL_INLINE double atomicAdd(double *p, float v) { return atomicAdd(p, (double)v); }
TL_INLINE double atomicAdd(double *p, int v) { return atomicAdd(p, (double)v); }
#define TL_SCOPES(name)                                                                           \
    template <class T, class V> TL_INLINE T name##_block(T *p, V v) { return name(p, (T)v); }     \
    template <class T, class V> TL_INLINE T name##_system(T *p, V v) { return name(p, (T)v); }
TL_SCOPES(atomicAdd)
TL_SCOPES(atomicSub)
TL_SCOPES(atomicMin)
TL_SCOPES(atomicMax)
TL_SCOPES(atomicExch)
TL_SCOPES(atomicAnd)
TL_SCOPES(atomicOr)
TL_SCOPES(atomicXor)
#undef TL_SCOPES
#define TL_SCOPED(scope)                                                                          \
    TL_INLINE unsigned atomicInc##scope(unsigned *p, unsigned limit) { return atomicInc(p, limit); } \
    TL_INLINE unsigned atomicDec##scope(unsigned *p, unsigned limit) { return atomicDec(p, limit); } \
    template <class T, class V, class W> TL_INLINE T atomicCAS##scope(T *p, V compare, W v) {     \
        return atomicCAS(p, (T)compare, (T)v);                                                    \
    }
TL_SCOPED(_block)
TL_SCOPED(_system)
#undef TL_SCOPED
