// SPDX-License-Identifier: MIT
// Arithmetic of half and bfloat16. It is done in float and rounded once, which for + - * / and sqrt
// gives what an operation on the short type gives: float has more than twice the digits (Figueroa,
// 1995).
#pragma once
#include "device/bfloat16.h"

#define TL_SHORT_OPERATOR(T, T2, op, name)                                                        \
    TL_INLINE T operator op(T a, T b) { return T((float)a op(float) b); }                         \
    TL_INLINE T2 operator op(T2 a, T2 b) { return {a.x op b.x, a.y op b.y}; }                     \
    TL_INLINE T &operator op##=(T &a, T b) { return a = a op b; }                                 \
    TL_INLINE T2 &operator op##=(T2 &a, T2 b) { return a = a op b; }                              \
    TL_INLINE T __h##name(T a, T b) { return a op b; }                                            \
    TL_INLINE T2 __h##name##2(T2 a, T2 b) { return a op b; }
#define TL_SHORT_VARIANTS(T, T2, op, name)                                                        \
    TL_INLINE T __h##name##_rn(T a, T b) { return a op b; }                                       \
    TL_INLINE T2 __h##name##2_rn(T2 a, T2 b) { return a op b; }                                   \
    TL_INLINE T __h##name##_sat(T a, T b) { return T(__saturatef((float)(a op b))); }             \
    TL_INLINE T2 __h##name##2_sat(T2 a, T2 b) {                                                   \
        return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)};                            \
    }
#define TL_SHORT_COMPARE(T, T2, op, name)                                                         \
    TL_INLINE bool operator op(T a, T b) { return (float)a op(float) b; }                         \
    TL_INLINE bool __h##name(T a, T b) { return a op b; }                                         \
    TL_INLINE bool __h##name##u(T a, T b) { return a op b || __hisnan(a) || __hisnan(b); }        \
    TL_INLINE T2 __h##name##2(T2 a, T2 b) { return {T((float)(a.x op b.x)), T((float)(a.y op b.y))}; } \
    TL_INLINE bool __hb##name##2(T2 a, T2 b) { return a.x op b.x && a.y op b.y; }                 \
    TL_INLINE bool operator op(T2 a, T2 b) { return a.x op b.x && a.y op b.y; }                   \
    TL_INLINE bool __hb##name##u2(T2 a, T2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); }
#define TL_SHORT_FUNCTION(T, T2, name)                                                            \
    TL_INLINE T h##name(T a) { return T(name##f((float)a)); }                                     \
    TL_INLINE T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }
#define TL_SHORT_CHOICE(T, T2, name)                                                              \
    TL_INLINE T __h##name(T a, T b) { return T(f##name##f((float)a, (float)b)); }                 \
    TL_INLINE T2 __h##name##2(T2 a, T2 b) { return {__h##name(a.x, b.x), __h##name(a.y, b.y)}; }  \
    TL_INLINE T __h##name##_nan(T a, T b) {                                                       \
        return __hisnan(a) || __hisnan(b) ? T(NAN) : __h##name(a, b);                             \
    }                                                                                             \
    TL_INLINE T2 __h##name##2_nan(T2 a, T2 b) {                                                   \
        return {__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y)};                            \
    }

#define TL_SHORT_FLOAT(T, T2)                                                                     \
    TL_INLINE bool __hisnan(T a) { return isnan((float)a); }                                      \
    TL_INLINE int __hisinf(T a) { return isinf((float)a) ? ((float)a > 0 ? 1 : -1) : 0; }         \
    TL_SHORT_OPERATOR(T, T2, +, add)                                                              \
    TL_SHORT_OPERATOR(T, T2, -, sub)                                                              \
    TL_SHORT_OPERATOR(T, T2, *, mul)                                                              \
    TL_SHORT_OPERATOR(T, T2, /, div)                                                              \
    TL_SHORT_VARIANTS(T, T2, +, add)                                                              \
    TL_SHORT_VARIANTS(T, T2, -, sub)                                                              \
    TL_SHORT_VARIANTS(T, T2, *, mul)                                                              \
    TL_SHORT_COMPARE(T, T2, <, lt)                                                                \
    TL_SHORT_COMPARE(T, T2, >, gt)                                                                \
    TL_SHORT_COMPARE(T, T2, <=, le)                                                               \
    TL_SHORT_COMPARE(T, T2, >=, ge)                                                               \
    TL_SHORT_COMPARE(T, T2, ==, eq)                                                               \
    TL_SHORT_COMPARE(T, T2, !=, ne)                                                               \
    TL_INLINE T operator-(T a) { return T(-(float)a); }                                           \
    TL_INLINE T2 operator-(T2 a) { return {-a.x, -a.y}; }                                         \
    TL_INLINE T &operator++(T &a) { return a = a + T(1.0f); }                                     \
    TL_INLINE T &operator--(T &a) { return a = a - T(1.0f); }                                     \
    TL_INLINE T operator++(T &a, int) { T old = a; ++a; return old; }                             \
    TL_INLINE T operator--(T &a, int) { T old = a; --a; return old; }                             \
    TL_INLINE T2 &operator++(T2 &a) { return a = {a.x + T(1.0f), a.y + T(1.0f)}; }                \
    TL_INLINE T2 &operator--(T2 &a) { return a = {a.x - T(1.0f), a.y - T(1.0f)}; }                \
    TL_INLINE T2 operator++(T2 &a, int) { T2 old = a; ++a; return old; }                          \
    TL_INLINE T2 operator--(T2 &a, int) { T2 old = a; --a; return old; }                          \
    /* In double, where the product of two short ones is exact, so that there is one rounding. */ \
    TL_INLINE T __hfma(T a, T b, T c) { return T((double)(float)a * (double)(float)b + (double)(float)c); } \
    TL_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
    TL_INLINE T __hfma_sat(T a, T b, T c) { return T(__saturatef((float)__hfma(a, b, c))); }      \
    TL_INLINE T2 __hfma2_sat(T2 a, T2 b, T2 c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; } \
    TL_INLINE T __hfma_relu(T a, T b, T c) { T r = __hfma(a, b, c); return (float)r < 0 ? T(0.0f) : r; } \
    TL_INLINE T2 __hfma2_relu(T2 a, T2 b, T2 c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; } \
    TL_INLINE T __hneg(T a) { return -a; }                                                        \
    TL_INLINE T2 __hneg2(T2 a) { return -a; }                                                     \
    TL_INLINE T __habs(T a) { return T(fabsf((float)a)); }                                        \
    TL_INLINE T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }                             \
    TL_SHORT_CHOICE(T, T2, max)                                                                   \
    TL_SHORT_CHOICE(T, T2, min)                                                                   \
    TL_SHORT_FUNCTION(T, T2, sqrt)                                                                \
    TL_SHORT_FUNCTION(T, T2, rsqrt)                                                               \
    TL_SHORT_FUNCTION(T, T2, exp)                                                                 \
    TL_SHORT_FUNCTION(T, T2, exp2)                                                                \
    TL_SHORT_FUNCTION(T, T2, exp10)                                                               \
    TL_SHORT_FUNCTION(T, T2, log)                                                                 \
    TL_SHORT_FUNCTION(T, T2, log2)                                                                \
    TL_SHORT_FUNCTION(T, T2, log10)                                                               \
    TL_SHORT_FUNCTION(T, T2, sin)                                                                 \
    TL_SHORT_FUNCTION(T, T2, cos)                                                                 \
    TL_SHORT_FUNCTION(T, T2, tanh)                                                                \
    TL_SHORT_FUNCTION(T, T2, floor)                                                               \
    TL_SHORT_FUNCTION(T, T2, ceil)                                                                \
    TL_SHORT_FUNCTION(T, T2, trunc)                                                               \
    TL_SHORT_FUNCTION(T, T2, rint)                                                                \
    TL_INLINE T hrcp(T a) { return T(1.0f / (float)a); }                                          \
    TL_INLINE T2 h2rcp(T2 a) { return {hrcp(a.x), hrcp(a.y)}; }                                   \
    TL_INLINE float __low2float(T2 a) { return (float)a.x; }                                      \
    TL_INLINE float __high2float(T2 a) { return (float)a.y; }                                     \
    TL_ATOMIC T atomicAdd(T *p, T v) {                                                            \
        TL_PROBE_ATOMIC(p);                                                                       \
        return tl_swapped<tl_u16>(p, [v](T old) { return old + v; });                             \
    }                                                                                             \
    TL_ATOMIC T2 atomicAdd(T2 *p, T2 v) {                                                         \
        TL_PROBE_ATOMIC(p);                                                                       \
        return tl_swapped<tl_u32>(p, [v](T2 old) { return old + v; });                            \
    }
TL_SHORT_FLOAT(__half, __half2)
TL_SHORT_FLOAT(__nv_bfloat16, __nv_bfloat162)
#undef TL_SHORT_FLOAT
#undef TL_SHORT_OPERATOR
#undef TL_SHORT_VARIANTS
#undef TL_SHORT_COMPARE
#undef TL_SHORT_FUNCTION
#undef TL_SHORT_CHOICE

// To and from whole numbers, in each direction: half and bfloat16 both lie within a double.
#define TL_TO_SHORT(mode, how)                                                                    \
    TL_SHORT_FROM(half, __half, tl_half_directed, mode, how)                                      \
    TL_SHORT_FROM(bfloat16, __nv_bfloat16, tl_bfloat16_directed, mode, how)
#define TL_SHORT_FROM(name, T, directed, mode, how)                                               \
    TL_INLINE T __float2##name##_##mode(float a) { return directed((double)a, how); }             \
    TL_WHOLE_FROM(name, T, directed, int, int, mode, how)                                         \
    TL_WHOLE_FROM(name, T, directed, uint, unsigned, mode, how)                                   \
    TL_WHOLE_FROM(name, T, directed, short, short, mode, how)                                     \
    TL_WHOLE_FROM(name, T, directed, ushort, unsigned short, mode, how)
#define TL_WHOLE_FROM(name, T, directed, word, W, mode, how)                                      \
    TL_INLINE T __##word##2##name##_##mode(W a) { return directed((double)a, how); }
TL_TO_SHORT(rz, 0)
TL_TO_SHORT(ru, 1)
TL_TO_SHORT(rd, 2)
#undef TL_TO_SHORT
#undef TL_SHORT_FROM
#undef TL_WHOLE_FROM
#define TL_WHOLE(name, T, word, W)                                                                \
    TL_INLINE T __##word##2##name##_rn(W a) { return T((double)a); }
#define TL_INTO_WHOLE(name, T, mode, towards)                                                     \
    TL_INLINE int __##name##2int_##mode(T a) { return tl_whole<int>(towards((double)(float)a), 0); } \
    TL_INLINE unsigned __##name##2uint_##mode(T a) { return tl_whole<unsigned>(towards((double)(float)a), 0); } \
    TL_INLINE long long __##name##2ll_##mode(T a) { return tl_whole<long long>(towards((double)(float)a), LLONG_MIN); } \
    TL_INLINE short __##name##2short_##mode(T a) { return (short)tl_between(__##name##2int_##mode(a), -32768, 32767); } \
    TL_INLINE unsigned short __##name##2ushort_##mode(T a) {                                      \
        return (unsigned short)tl_between(__##name##2int_##mode(a), 0, 65535);                    \
    }
#define TL_BOTH_WAYS(name, T)                                                                     \
    TL_WHOLE(name, T, int, int)                                                                   \
    TL_WHOLE(name, T, uint, unsigned)                                                             \
    TL_WHOLE(name, T, short, short)                                                               \
    TL_WHOLE(name, T, ushort, unsigned short)                                                     \
    TL_WHOLE(name, T, ll, long long)                                                              \
    TL_WHOLE(name, T, ull, unsigned long long)                                                    \
    TL_INTO_WHOLE(name, T, rn, rint)                                                              \
    TL_INTO_WHOLE(name, T, rz, trunc)                                                             \
    TL_INTO_WHOLE(name, T, ru, ceil)                                                              \
    TL_INTO_WHOLE(name, T, rd, floor)
TL_BOTH_WAYS(half, __half)
TL_BOTH_WAYS(bfloat16, __nv_bfloat16)
#undef TL_BOTH_WAYS
#undef TL_WHOLE
#undef TL_INTO_WHOLE
