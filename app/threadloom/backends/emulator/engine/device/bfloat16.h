// SPDX-License-Identifier: MIT
// __nv_bfloat16 and __nv_bfloat162: the upper half of a float. Arithmetic is in short_floats.h.
#pragma once
#include "device/half.h"

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
TL_SHORT_TYPE(bfloat16, __nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat162 nv_bfloat162;
#undef TL_SHORT_TYPE
#undef TL_BITS
