// SPDX-License-Identifier: MIT
// Mathematical functions: CUDA's overloads (a float argument gives a float), and its intrinsics.
#pragma once
#include "device/builtins.h"

// The names of the C library, for float and double; the plain name takes either.
#define TL_FUNCTION1(name)                                                                        \
    extern "C" double name(double);                                                               \
    extern "C" float name##f(float);                                                              \
    TL_INLINE float name(float a) { return name##f(a); }                                          \
    template <class T, class = tl_integer<T>> TL_INLINE double name(T a) { return name((double)a); }
#define TL_FUNCTION2(name)                                                                        \
    extern "C" double name(double, double);                                                       \
    extern "C" float name##f(float, float);                                                       \
    TL_INLINE float name(float a, float b) { return name##f(a, b); }                              \
    TL_INLINE double name(float a, double b) { return name((double)a, b); }                       \
    TL_INLINE double name(double a, float b) { return name(a, (double)b); }                       \
    template <class T, class = tl_integer<T>> TL_INLINE float name(float a, T b) {                \
        return name##f(a, (float)b);                                                              \
    }                                                                                             \
    template <class T, class = tl_integer<T>> TL_INLINE float name(T a, float b) {                \
        return name##f((float)a, b);                                                              \
    }                                                                                             \
    template <class T, class = tl_integer<T>> TL_INLINE double name(double a, T b) {              \
        return name(a, (double)b);                                                                \
    }                                                                                             \
    template <class T, class = tl_integer<T>> TL_INLINE double name(T a, double b) {              \
        return name((double)a, b);                                                                \
    }                                                                                             \
    template <class T, class U, class = tl_integer<T>, class = tl_integer<U>>                     \
    TL_INLINE double name(T a, U b) { return name((double)a, (double)b); }

template <bool> struct tl_enable {};
template <> struct tl_enable<true> { typedef int type; };
template <class T> using tl_integer = typename tl_enable<__is_integral(T)>::type;

TL_FUNCTION1(sqrt)
TL_FUNCTION1(cbrt)
TL_FUNCTION1(exp)
TL_FUNCTION1(exp2)
TL_FUNCTION1(expm1)
TL_FUNCTION1(log)
TL_FUNCTION1(log2)
TL_FUNCTION1(log10)
TL_FUNCTION1(log1p)
TL_FUNCTION1(logb)
TL_FUNCTION1(sin)
TL_FUNCTION1(cos)
TL_FUNCTION1(tan)
TL_FUNCTION1(asin)
TL_FUNCTION1(acos)
TL_FUNCTION1(atan)
TL_FUNCTION1(sinh)
TL_FUNCTION1(cosh)
TL_FUNCTION1(tanh)
TL_FUNCTION1(asinh)
TL_FUNCTION1(acosh)
TL_FUNCTION1(atanh)
TL_FUNCTION1(erf)
TL_FUNCTION1(erfc)
TL_FUNCTION1(tgamma)
TL_FUNCTION1(lgamma)
TL_FUNCTION1(floor)
TL_FUNCTION1(ceil)
TL_FUNCTION1(trunc)
TL_FUNCTION1(round)
TL_FUNCTION1(rint)
TL_FUNCTION1(nearbyint)
TL_FUNCTION1(fabs)
TL_FUNCTION2(pow)
TL_FUNCTION2(atan2)
TL_FUNCTION2(fmod)
TL_FUNCTION2(remainder)
TL_FUNCTION2(hypot)
TL_FUNCTION2(fmax)
TL_FUNCTION2(fmin)
TL_FUNCTION2(fdim)
TL_FUNCTION2(copysign)
TL_FUNCTION2(nextafter)
#undef TL_FUNCTION1
#undef TL_FUNCTION2
extern "C" double j0(double), j1(double), y0(double), y1(double);
extern "C" double jn(int, double), yn(int, double), scalbln(double, long);
extern "C" float jnf(int, float), ynf(int, float), scalblnf(float, long);
extern "C" float j0f(float), j1f(float), y0f(float), y1f(float);

extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
TL_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
extern "C" double ldexp(double, int), frexp(double, int *), modf(double, double *), scalbn(double, int);
extern "C" float ldexpf(float, int), frexpf(float, int *), modff(float, float *), scalbnf(float, int);
extern "C" int ilogb(double), ilogbf(float);
extern "C" double remquo(double, double, int *);
extern "C" float remquof(float, float, int *);
extern "C" long lround(double), lroundf(float), lrint(double), lrintf(float);
extern "C" long long llround(double), llroundf(float), llrint(double), llrintf(float);
TL_INLINE float ldexp(float a, int n) { return ldexpf(a, n); }
TL_INLINE float frexp(float a, int *n) { return frexpf(a, n); }
TL_INLINE float modf(float a, float *n) { return modff(a, n); }

template <class T> TL_INLINE bool isnan(T a) { return a != a; }
template <class T> TL_INLINE bool isinf(T a) { return __builtin_isinf(a); }
template <class T> TL_INLINE bool isfinite(T a) { return __builtin_isfinite(a); }
template <class T> TL_INLINE bool signbit(T a) { return __builtin_signbit(a); }

#define TL_ORDERED(T)                                                                             \
    TL_INLINE T min(T a, T b) { return a < b ? a : b; }                                           \
    TL_INLINE T max(T a, T b) { return a > b ? a : b; }
TL_ORDERED(int)
TL_ORDERED(unsigned int)
TL_ORDERED(long)
TL_ORDERED(unsigned long)
TL_ORDERED(long long)
TL_ORDERED(unsigned long long)
#undef TL_ORDERED
#define TL_MIXED(A, B, T)                                                                         \
    TL_INLINE T min(A a, B b) { return min((T)a, (T)b); }                                         \
    TL_INLINE T max(A a, B b) { return max((T)a, (T)b); }
TL_INLINE float min(float a, float b) { return fminf(a, b); }
TL_INLINE float max(float a, float b) { return fmaxf(a, b); }
TL_INLINE double min(double a, double b) { return fmin(a, b); }
TL_INLINE double max(double a, double b) { return fmax(a, b); }
TL_MIXED(int, unsigned int, unsigned int)
TL_MIXED(unsigned int, int, unsigned int)
TL_MIXED(int, long long, long long)
TL_MIXED(long long, int, long long)
TL_MIXED(int, unsigned long, unsigned long)
TL_MIXED(unsigned long, int, unsigned long)
TL_MIXED(unsigned int, unsigned long, unsigned long)
TL_MIXED(unsigned long, unsigned int, unsigned long)
TL_MIXED(int, long, long)
TL_MIXED(long, int, long)
TL_MIXED(float, double, double)
TL_MIXED(double, float, double)
TL_MIXED(int, float, float)
TL_MIXED(float, int, float)
TL_MIXED(int, double, double)
TL_MIXED(double, int, double)
#undef TL_MIXED
TL_INLINE int abs(int a) { return a < 0 ? -a : a; }
TL_INLINE long abs(long a) { return a < 0 ? -a : a; }
TL_INLINE long long abs(long long a) { return a < 0 ? -a : a; }
TL_INLINE float abs(float a) { return __builtin_fabsf(a); }
TL_INLINE double abs(double a) { return __builtin_fabs(a); }
TL_INLINE long long llabs(long long a) { return a < 0 ? -a : a; }

TL_INLINE float rsqrtf(float a) { return 1.0f / sqrtf(a); }
TL_INLINE double rsqrt(double a) { return 1.0 / sqrt(a); }
TL_INLINE float rsqrt(float a) { return rsqrtf(a); }
TL_INLINE float rcbrtf(float a) { return 1.0f / cbrtf(a); }
TL_INLINE double rcbrt(double a) { return 1.0 / cbrt(a); }
TL_INLINE float exp10f(float a) { return powf(10.0f, a); }
TL_INLINE double exp10(double a) { return pow(10.0, a); }
TL_INLINE void sincosf(float a, float *s, float *c) { *s = sinf(a); *c = cosf(a); }
TL_INLINE void sincos(double a, double *s, double *c) { *s = sin(a); *c = cos(a); }
TL_INLINE void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
TL_INLINE float fdividef(float a, float b) { return a / b; }
TL_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
TL_INLINE float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
TL_INLINE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
TL_INLINE float normcdff(float a) { return 0.5f * erfcf(-a * 0.70710678f); }
TL_INLINE double normcdf(double a) { return 0.5 * erfc(-a * M_SQRT1_2); }

// Fast intrinsics: at least as precise here as on a GPU.
TL_INLINE float __expf(float a) { return expf(a); }
TL_INLINE float __exp10f(float a) { return exp10f(a); }
TL_INLINE float __logf(float a) { return logf(a); }
TL_INLINE float __log2f(float a) { return log2f(a); }
TL_INLINE float __log10f(float a) { return log10f(a); }
TL_INLINE float __sinf(float a) { return sinf(a); }
TL_INLINE float __cosf(float a) { return cosf(a); }
TL_INLINE float __tanf(float a) { return tanf(a); }
TL_INLINE float __tanhf(float a) { return tanhf(a); }
TL_INLINE float __powf(float a, float b) { return powf(a, b); }
TL_INLINE void __sincosf(float a, float *s, float *c) { sincosf(a, s, c); }
TL_INLINE float __fdividef(float a, float b) { return a / b; }
TL_INLINE float __saturatef(float a) { return a != a ? 0.0f : fminf(fmaxf(a, 0.0f), 1.0f); }
TL_INLINE float __frsqrt_rn(float a) { return rsqrtf(a); }

// To nearest, as the host's unit rounds; the other directions are in intrinsics.h.
#define TL_ROUNDED(T, p)                                                                          \
    TL_INLINE T __##p##add_rn(T a, T b) { volatile T r = a + b; return r; }                       \
    TL_INLINE T __##p##sub_rn(T a, T b) { volatile T r = a - b; return r; }                       \
    TL_INLINE T __##p##mul_rn(T a, T b) { volatile T r = a * b; return r; }                       \
    TL_INLINE T __##p##div_rn(T a, T b) { return a / b; }
TL_ROUNDED(float, f)
TL_ROUNDED(double, d)
#undef TL_ROUNDED
TL_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
TL_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
TL_INLINE float __frcp_rn(float a) { return 1.0f / a; }
TL_INLINE double __drcp_rn(double a) { return 1.0 / a; }
TL_INLINE float __fsqrt_rn(float a) { return sqrtf(a); }
TL_INLINE double __dsqrt_rn(double a) { return sqrt(a); }

// Integers and bits.
TL_INLINE int __popc(unsigned a) { return __builtin_popcount(a); }
TL_INLINE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
TL_INLINE int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
TL_INLINE int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
TL_INLINE int __ffs(int a) { return __builtin_ffs(a); }
TL_INLINE int __ffsll(long long a) { return __builtin_ffsll(a); }
TL_INLINE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
TL_INLINE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
TL_INLINE int __mul24(int a, int b) { return (int)((a << 8 >> 8) * (long long)(b << 8 >> 8)); }
TL_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
TL_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
TL_INLINE unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
TL_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
TL_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
TL_INLINE unsigned __sad(int a, int b, unsigned c) { return c + (unsigned)(a > b ? a - b : b - a); }
TL_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
TL_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
TL_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)(((((unsigned long long)hi << 32) | lo) << (by & 31)) >> 32);
}
TL_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)((((unsigned long long)hi << 32) | lo) >> (by & 31));
}
TL_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned long long both = ((unsigned long long)b << 32) | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned selector = s >> 4 * i & 0xf;
        unsigned byte = (unsigned)(both >> 8 * (selector & 7)) & 0xff;
        if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}
TL_INLINE int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i) c += (int)(signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return c;
}

// Bits and conversions.
#define TL_BITS(name, T, U)                                                                       \
    TL_INLINE T name(U a) { T r; __builtin_memcpy(&r, &a, sizeof r); return r; }
TL_BITS(__float_as_int, int, float)
TL_BITS(__float_as_uint, unsigned, float)
TL_BITS(__int_as_float, float, int)
TL_BITS(__uint_as_float, float, unsigned)
TL_BITS(__double_as_longlong, long long, double)
TL_BITS(__longlong_as_double, double, long long)
TL_INLINE float __int2float_rn(int a) { return (float)a; }
TL_INLINE float __uint2float_rn(unsigned a) { return (float)a; }
TL_INLINE float __double2float_rn(double a) { return (float)a; }
TL_INLINE double __int2double_rn(int a) { return (double)a; }
