// SPDX-License-Identifier: MIT
// half and __half2. Arithmetic is done in float and rounded once, which for + - * / and sqrt gives
// what an operation on halves gives: float has more than twice the digits (Figueroa, 1995).
#pragma once
#include "intrinsics.h"

struct __half {
    _Float16 value;
    __half() = default;
    TL_INLINE_MEMBER constexpr __half(_Float16 v) : value(v) {}
    TL_INLINE_MEMBER __half(float v) : value((_Float16)v) {}
    TL_INLINE_MEMBER __half(double v) : value((_Float16)v) {}
    TL_INLINE_MEMBER __half(int v) : value((_Float16)(float)v) {}
    TL_INLINE_MEMBER operator float() const { return (float)value; }
    __half &operator+=(__half b);
    __half &operator-=(__half b);
    __half &operator*=(__half b);
    __half &operator/=(__half b);
};
typedef __half half;
struct alignas(4) __half2 {
    __half x, y;
};
typedef __half2 half2;

#define TL_HALF_OPERATOR(op, name)                                                                \
    TL_INLINE __half operator op(__half a, __half b) { return __half((float)a op(float) b); }     \
    TL_INLINE __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }      \
    inline __half &__half::operator op##=(__half b) { return *this = *this op b; }             \
    TL_INLINE __half2 &operator op##=(__half2 &a, __half2 b) { return a = a op b; }               \
    TL_INLINE __half __h##name(__half a, __half b) { return a op b; }                             \
    TL_INLINE __half2 __h##name##2(__half2 a, __half2 b) { return a op b; }
TL_HALF_OPERATOR(+, add)
TL_HALF_OPERATOR(-, sub)
TL_HALF_OPERATOR(*, mul)
TL_HALF_OPERATOR(/, div)
#undef TL_HALF_OPERATOR
// So that a literal takes part as in CUDA: half with float is float, half with int is half.
#define TL_HALF_MIXED(op)                                                                         \
    TL_INLINE float operator op(__half a, float b) { return (float)a op b; }                      \
    TL_INLINE float operator op(float a, __half b) { return a op(float) b; }                      \
    TL_INLINE double operator op(__half a, double b) { return (double)(float)a op b; }            \
    TL_INLINE double operator op(double a, __half b) { return a op(double)(float) b; }            \
    TL_INLINE __half operator op(__half a, int b) { return a op __half(b); }                      \
    TL_INLINE __half operator op(int a, __half b) { return __half(a) op b; }
TL_HALF_MIXED(+)
TL_HALF_MIXED(-)
TL_HALF_MIXED(*)
TL_HALF_MIXED(/)
#undef TL_HALF_MIXED
#define TL_HALF_COMPARE(op, name)                                                                 \
    TL_INLINE bool operator op(__half a, __half b) { return a.value op b.value; }                 \
    TL_INLINE bool __h##name(__half a, __half b) { return a.value op b.value; }
TL_HALF_COMPARE(<, lt)
TL_HALF_COMPARE(>, gt)
TL_HALF_COMPARE(<=, le)
TL_HALF_COMPARE(>=, ge)
TL_HALF_COMPARE(==, eq)
TL_HALF_COMPARE(!=, ne)
#undef TL_HALF_COMPARE
TL_INLINE __half operator-(__half a) { return __half(-(float)a); }
TL_INLINE __half2 operator-(__half2 a) { return {-a.x, -a.y}; }

TL_INLINE __half __float2half(float a) { return __half(a); }
TL_INLINE __half __float2half_rn(float a) { return __half(a); }
TL_INLINE __half __double2half(double a) { return __half(a); }
TL_INLINE float __half2float(__half a) { return (float)a; }
TL_INLINE __half __int2half_rn(int a) { return __half(a); }
TL_INLINE int __half2int_rn(__half a) { return (int)rintf((float)a); }
TL_INLINE int __half2int_rz(__half a) { return (int)(float)a; }
TL_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
TL_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
TL_INLINE __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
TL_INLINE float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
TL_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
TL_INLINE __half2 __half2half2(__half a) { return {a, a}; }
TL_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
TL_INLINE __half __low2half(__half2 a) { return a.x; }
TL_INLINE __half __high2half(__half2 a) { return a.y; }
TL_INLINE float __low2float(__half2 a) { return (float)a.x; }
TL_INLINE float __high2float(__half2 a) { return (float)a.y; }
TL_INLINE __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
TL_INLINE unsigned short __half_as_ushort(__half a) {
    unsigned short r;
    __builtin_memcpy(&r, &a, 2);
    return r;
}
TL_INLINE __half __ushort_as_half(unsigned short a) {
    __half r;
    __builtin_memcpy(&r, &a, 2);
    return r;
}

TL_INLINE short __half_as_short(__half a) { return (short)__half_as_ushort(a); }
TL_INLINE __half __short_as_half(short a) { return __ushort_as_half((unsigned short)a); }
TL_INLINE __half __ushort2half_rn(unsigned short a) { return __half((int)a); }
TL_INLINE __half __short2half_rn(short a) { return __half((int)a); }
TL_INLINE __half __uint2half_rn(unsigned a) { return __half((double)a); }
TL_INLINE unsigned short __half2ushort_rz(__half a) { return (unsigned short)tl_between(__float2int_rz(a), 0, 65535); }
TL_INLINE unsigned short __half2ushort_rn(__half a) { return (unsigned short)tl_between(__float2int_rn(a), 0, 65535); }
TL_INLINE short __half2short_rz(__half a) { return (short)tl_between(__float2int_rz(a), -32768, 32767); }
TL_INLINE short __half2short_rn(__half a) { return (short)tl_between(__float2int_rn(a), -32768, 32767); }

// Halves of one sign are in the order of their bits, so that the next one is one bit away.
TL_INLINE __half tl_half_directed(float a, int how) {
    __half nearest = __half(a);
    if (a != a || !tl_beyond((float)nearest, (double)a - (double)(float)nearest, how)) return nearest;
    unsigned short bits = __half_as_ushort(nearest);
    if ((bits & 0x7fff) == 0) return __ushort_as_half(how == 1 ? 0x0001 : 0x8001);
    bool away = how == 0 ? false : (how == 1) == !(bits & 0x8000);
    return __ushort_as_half((unsigned short)(bits + (away ? 1 : -1)));
}
TL_INLINE __half __float2half_rz(float a) { return tl_half_directed(a, 0); }
TL_INLINE __half __float2half_ru(float a) { return tl_half_directed(a, 1); }
TL_INLINE __half __float2half_rd(float a) { return tl_half_directed(a, 2); }

#define TL_HALF_VARIANTS(name, op)                                                                \
    TL_INLINE __half __h##name##_rn(__half a, __half b) { return a op b; }                        \
    TL_INLINE __half2 __h##name##2_rn(__half2 a, __half2 b) { return a op b; }                    \
    TL_INLINE __half __h##name##_sat(__half a, __half b) { return __half(__saturatef((float)(a op b))); } \
    TL_INLINE __half2 __h##name##2_sat(__half2 a, __half2 b) {                                    \
        return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)};                            \
    }
TL_HALF_VARIANTS(add, +)
TL_HALF_VARIANTS(sub, -)
TL_HALF_VARIANTS(mul, *)
#undef TL_HALF_VARIANTS
#define TL_HALF_PAIRS(name, op)                                                                   \
    TL_INLINE __half2 __h##name##2(__half2 a, __half2 b) {                                        \
        return {__half((int)(a.x op b.x)), __half((int)(a.y op b.y))};                            \
    }                                                                                             \
    TL_INLINE bool __hb##name##2(__half2 a, __half2 b) { return a.x op b.x && a.y op b.y; }
TL_HALF_PAIRS(lt, <)
TL_HALF_PAIRS(gt, >)
TL_HALF_PAIRS(le, <=)
TL_HALF_PAIRS(ge, >=)
TL_HALF_PAIRS(eq, ==)
TL_HALF_PAIRS(ne, !=)
#undef TL_HALF_PAIRS
TL_INLINE int __hisinf(__half a) { return isinf((float)a) ? ((float)a > 0 ? 1 : -1) : 0; }
TL_INLINE __half &operator++(__half &a) { return a = a + __half(1); }
TL_INLINE __half &operator--(__half &a) { return a = a - __half(1); }
TL_INLINE __half operator++(__half &a, int) { __half old = a; ++a; return old; }
TL_INLINE __half operator--(__half &a, int) { __half old = a; --a; return old; }

// In double, where the product of two halves is exact, so that there is one rounding only.
TL_INLINE __half __hfma(__half a, __half b, __half c) {
    return __half((double)(float)a * (double)(float)b + (double)(float)c);
}
TL_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
TL_INLINE __half __hneg(__half a) { return -a; }
TL_INLINE __half2 __hneg2(__half2 a) { return -a; }
TL_INLINE __half __habs(__half a) { return __half(fabsf((float)a)); }
TL_INLINE __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
TL_INLINE bool __hisnan(__half a) { return isnan((float)a); }
TL_INLINE __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
TL_INLINE __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
TL_INLINE __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
TL_INLINE __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
#define TL_HALF_FUNCTION(name)                                                                    \
    TL_INLINE __half h##name(__half a) { return __half(name##f((float)a)); }                      \
    TL_INLINE __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
TL_HALF_FUNCTION(sqrt)
TL_HALF_FUNCTION(rsqrt)
TL_HALF_FUNCTION(exp)
TL_HALF_FUNCTION(exp2)
TL_HALF_FUNCTION(log)
TL_HALF_FUNCTION(log2)
TL_HALF_FUNCTION(sin)
TL_HALF_FUNCTION(cos)
TL_HALF_FUNCTION(floor)
TL_HALF_FUNCTION(ceil)
TL_HALF_FUNCTION(trunc)
TL_HALF_FUNCTION(rint)
TL_HALF_FUNCTION(tanh)
TL_HALF_FUNCTION(log10)
TL_HALF_FUNCTION(exp10)
#undef TL_HALF_FUNCTION
TL_INLINE __half hrcp(__half a) { return __half(1.0f / (float)a); }

TL_ATOMIC __half atomicAdd(__half *p, __half v) {
    TL_SEEN_ATOMIC(p);
    return tl_swapped<tl_u16>(p, [v](__half old) { return old + v; });
}
TL_ATOMIC __half2 atomicAdd(__half2 *p, __half2 v) {
    TL_SEEN_ATOMIC(p);
    return tl_swapped<tl_u32>(p, [v](__half2 old) { return old + v; });
}
