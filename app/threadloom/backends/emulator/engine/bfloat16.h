// SPDX-License-Identifier: MIT
// __nv_bfloat16 and __nv_bfloat162: the upper half of a float. Arithmetic is in short_floats.h.
#pragma once
#include "half.h"

// To nearest, ties to even; no number stays none.
TL_INLINE unsigned short tl_bfloat16_bits(float a) {
    unsigned bits = __float_as_uint(a);
    if (a != a) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
// A float between, so that rounding twice gives what rounding once does: where it is not exact its
// last bit is set (rounding to odd; Boldo and Melquiond, 2008).
TL_INLINE float tl_odd_float(double a) {
    float cut = __double2float_rz(a);
    if ((double)cut == a || a != a || __builtin_isinf(a)) return (float)a;
    return __uint_as_float(__float_as_uint(cut) | 1u);
}

struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    TL_INLINE_MEMBER __nv_bfloat16(float v) : bits(tl_bfloat16_bits(v)) {}
    TL_INLINE_MEMBER __nv_bfloat16(double v) : bits(tl_bfloat16_bits(tl_odd_float(v))) {}
    template <class T, class = tl_integer<T>>
    TL_INLINE_MEMBER __nv_bfloat16(T v) : bits(tl_bfloat16_bits(tl_odd_float((double)v))) {}
    TL_INLINE_MEMBER operator float() const { return __uint_as_float((unsigned)bits << 16); }
    TL_TO_WHOLE_NUMBERS
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    constexpr TL_INLINE_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
TL_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
TL_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
TL_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
TL_INLINE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
TL_INLINE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }
TL_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return {a.x, a.x}; }
TL_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return {a.y, a.y}; }
TL_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
TL_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
TL_INLINE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return {a.y, a.x}; }

TL_INLINE __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
TL_INLINE __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
TL_INLINE __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
TL_INLINE float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
TL_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
TL_INLINE __nv_bfloat162 __float2bfloat162_rn(float a) { return {__nv_bfloat16(a), __nv_bfloat16(a)}; }
TL_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
TL_INLINE float2 __bfloat1622float2(__nv_bfloat162 a) { return {(float)a.x, (float)a.y}; }
TL_BITS(__bfloat16_as_ushort, unsigned short, __nv_bfloat16)
TL_BITS(__bfloat16_as_short, short, __nv_bfloat16)
TL_BITS(__ushort_as_bfloat16, __nv_bfloat16, unsigned short)
TL_BITS(__short_as_bfloat16, __nv_bfloat16, short)
#undef TL_BITS

TL_INLINE __nv_bfloat16 tl_bfloat16_directed(double a, int how) {
    __nv_bfloat16 nearest = __nv_bfloat16(a);
    double value = (double)(float)nearest;
    if (a != a || !tl_beyond(value, a - value, how)) {
        bool lost = value == 0 && a != 0 && how == (a > 0 ? 1 : 2);
        return lost ? __ushort_as_bfloat16(how == 1 ? 0x0001 : 0x8001) : nearest;
    }
    return __ushort_as_bfloat16(tl_next_bits(nearest.bits, how));
}
