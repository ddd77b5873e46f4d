// SPDX-License-Identifier: MIT
// What device code mostly uses of the C++ library: mathematics, whole numbers, limits and types.
#pragma once
#include "functions.h"

namespace std {

using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;

using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;

template <class T> TL_INLINE constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> TL_INLINE constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> TL_INLINE constexpr const T &clamp(const T &v, const T &least, const T &most) {
    return v < least ? least : most < v ? most : v;
}
template <class T> TL_INLINE void swap(T &a, T &b) {
    T kept = a;
    a = b;
    b = kept;
}

template <class A, class B> struct is_same { static constexpr bool value = false; };
template <class A> struct is_same<A, A> { static constexpr bool value = true; };
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> struct is_integral { static constexpr bool value = __is_integral(T); };
template <class T> inline constexpr bool is_integral_v = __is_integral(T);
template <class T> struct is_floating_point { static constexpr bool value = __is_floating_point(T); };
template <class T> inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <bool, class A, class> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool which, class A, class B> using conditional_t = typename conditional<which, A, B>::type;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool which, class T = void> using enable_if_t = typename enable_if<which, T>::type;

template <class T> struct numeric_limits {
    static constexpr bool is_signed = T(-1) < T(0);
    static constexpr int digits = sizeof(T) * 8 - is_signed;
    static constexpr T max() { return (T)(~0ull >> (64 - digits)); }
    static constexpr T min() { return (T)(is_signed ? -max() - 1 : 0); }
    static constexpr T lowest() { return min(); }
};
#define TL_LIMITS(T, M, inf, nan)                                                                 \
    template <> struct numeric_limits<T> {                                                        \
        static constexpr bool is_signed = true;                                                   \
        static constexpr int digits = __##M##_MANT_DIG__;                                         \
        static constexpr T max() { return __##M##_MAX__; }                                        \
        static constexpr T min() { return __##M##_MIN__; }                                        \
        static constexpr T lowest() { return -__##M##_MAX__; }                                    \
        static constexpr T epsilon() { return __##M##_EPSILON__; }                                \
        static constexpr T infinity() { return inf; }                                             \
        static constexpr T quiet_NaN() { return nan; }                                            \
    };
TL_LIMITS(float, FLT, __builtin_inff(), __builtin_nanf(""))
TL_LIMITS(double, DBL, __builtin_inf(), __builtin_nan(""))
#undef TL_LIMITS

}  // namespace std
