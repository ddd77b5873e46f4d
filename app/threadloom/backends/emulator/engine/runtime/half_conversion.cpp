// SPDX-License-Identifier: MIT
#include "runtime/half_conversion.h"

// Rounds once, to nearest and ties to even, as IEEE 754 requires.
extern "C" TL_HIDDEN _Float16 __truncdfhf2(double value) {
    static const int KEPT = 10, CUT = 52 - KEPT;
    tl_u64 bits, magnitude;
    __builtin_memcpy(&bits, &value, 8);
    magnitude = bits & ~0ull >> 1;
    tl_u64 fraction = magnitude & ((1ull << 52) - 1), half = 0x7c00;
    int exponent = (int)(magnitude >> 52) - 1023, cut = CUT;
    if (magnitude > 0x7ffull << 52) {
        half = 0x7e00 | fraction >> CUT;
    } else if (exponent <= 15) {
        half = exponent >= -14 ? (tl_u64)(exponent + 15) << KEPT : 0;
        if (exponent < -14) {
            fraction |= 1ull << 52;
            cut += -14 - exponent;
        }
        tl_u64 rest = cut < 64 ? fraction & ((1ull << cut) - 1) : 0;
        half += cut < 64 ? fraction >> cut : 0;
        tl_u64 middle = cut < 64 ? 1ull << (cut - 1) : 1;
        half += rest > middle || (rest == middle && half & 1);
    }
    tl_u16 result = (tl_u16)(half | (bits >> 63 << 15));
    _Float16 out;
    __builtin_memcpy(&out, &result, 2);
    return out;
}

extern "C" TL_HIDDEN _Float16 __truncsfhf2(float value) { return __truncdfhf2(value); }

extern "C" TL_HIDDEN float __extendhfsf2(_Float16 value) {
    tl_u16 bits;
    __builtin_memcpy(&bits, &value, 2);
    tl_u32 exponent = bits >> 10 & 31, fraction = bits & 1023, sign = (tl_u32)(bits >> 15) << 31;
    if (exponent == 0) {
        float small = (float)fraction * 0x1p-24f;
        return sign ? -small : small;
    }
    tl_u32 wide = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    float out;
    __builtin_memcpy(&out, &wide, 4);
    return out;
}
