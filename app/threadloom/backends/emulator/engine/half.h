// SPDX-License-Identifier: MIT
// half and __half2: the types and their conversions. Arithmetic is in short_floats.h.
#pragma once
#include "intrinsics.h"

// So many that with a plain number the compiler cannot choose, as nvcc says too: half * float is not
// CUDA, __half2float(half) * float is.
#define TL_TO_WHOLE_NUMBERS                                                                       \
    template <class T, class = tl_integer<T>> TL_INLINE_MEMBER operator T() const {               \
        return tl_cut<T>((float)*this);                                                           \
    }
template <class T> TL_INLINE T tl_cut(float v) {
    if constexpr (sizeof(T) >= 4) return tl_whole<T>(trunc((double)v), T(0));
    else return (T)tl_whole<int>(trunc((double)v), 0);
}
template <> inline bool tl_cut<bool>(float v) { return v != 0; }
struct __half {
    _Float16 value;
    __half() = default;
    TL_INLINE_MEMBER constexpr __half(_Float16 v) : value(v) {}
    TL_INLINE_MEMBER __half(float v) : value((_Float16)v) {}
    TL_INLINE_MEMBER __half(double v) : value((_Float16)v) {}
    template <class T, class = tl_integer<T>> TL_INLINE_MEMBER __half(T v) : value((_Float16)(double)v) {}
    TL_INLINE_MEMBER operator float() const { return (float)value; }
    TL_TO_WHOLE_NUMBERS
};
typedef __half half;
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    constexpr TL_INLINE_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
TL_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
TL_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
TL_INLINE __half2 __half2half2(__half a) { return {a, a}; }
TL_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
TL_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
TL_INLINE __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
TL_INLINE __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
TL_INLINE __half __low2half(__half2 a) { return a.x; }
TL_INLINE __half __high2half(__half2 a) { return a.y; }
TL_INLINE __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }

TL_INLINE __half __float2half(float a) { return __half(a); }
TL_INLINE __half __float2half_rn(float a) { return __half(a); }
TL_INLINE __half __double2half(double a) { return __half(a); }
TL_INLINE float __half2float(__half a) { return (float)a; }
TL_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
TL_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
TL_INLINE __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
TL_INLINE float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
TL_BITS(__half_as_ushort, unsigned short, __half)
TL_BITS(__half_as_short, short, __half)
TL_BITS(__ushort_as_half, __half, unsigned short)
TL_BITS(__short_as_half, __half, short)

// Halves of one sign are in the order of their bits, so that the next one is one bit away.
TL_INLINE unsigned short tl_next_bits(unsigned short bits, int how) {
    if ((bits & 0x7fff) == 0) return how == 1 ? 0x0001 : 0x8001;
    bool away = how == 0 ? false : (how == 1) == !(bits & 0x8000);
    return (unsigned short)(bits + (away ? 1 : -1));
}
TL_INLINE __half tl_half_directed(double a, int how) {
    __half nearest = __half(a);
    double value = (double)(float)nearest;
    if (a != a || !tl_beyond(value, a - value, how)) {
        bool lost = value == 0 && a != 0 && how == (a > 0 ? 1 : 2);
        return lost ? __ushort_as_half(how == 1 ? 0x0001 : 0x8001) : nearest;
    }
    return __ushort_as_half(tl_next_bits(__half_as_ushort(nearest), how));
}
