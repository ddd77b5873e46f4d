// SPDX-License-Identifier: MIT
// half and __half2: the types and their conversions. Arithmetic is in short_floats.h.
#pragma once
#include "device/short_float_type.h"

// So many that with an untyped number the compiler cannot choose, as nvcc says too: half * float is not
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
TL_SHORT_TYPE(half, __half, __half2)
typedef __half2 half2;
