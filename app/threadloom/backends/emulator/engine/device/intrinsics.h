// SPDX-License-Identifier: MIT
// Intrinsics of whole numbers and conversions, and functions of C that device code may call.
#pragma once
#include "device/functions.h"

extern "C" void *memcpy(void *, const void *, size_t);
extern "C" void *memmove(void *, const void *, size_t);
extern "C" void *memset(void *, int, size_t);
// Hints to the compiler. A wrong assumption must not change control flow here.
#define __builtin_expect(value, likely) (value)
#define __builtin_assume(condition) ((void)sizeof(condition))
#define __builtin_assume_aligned(pointer, ...) ((void *)(pointer))
#define __assume(condition) ((void)sizeof(condition))

template <class T> TL_INLINE T __ldlu(const T *p) { return *p; }
template <class T> TL_INLINE T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> TL_INLINE void __stwb(T *p, T v) { *p = v; }
template <class T> TL_INLINE void __stwt(T *p, T v) { *p = v; }

TL_INLINE long labs(long a) { return a < 0 ? -a : a; }
TL_INLINE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
TL_INLINE unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
TL_INLINE long long llmin(long long a, long long b) { return a < b ? a : b; }
TL_INLINE long long llmax(long long a, long long b) { return a > b ? a : b; }
TL_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
TL_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Rounding in a given direction: 0 towards zero, 1 up, 2 down. `value` is nearest to what is meant,
// and `rest` has the sign of what is missing.
template <class T> TL_INLINE bool tl_beyond(T value, double rest, int how) {
    return how == 0 ? (value > 0 && rest < 0) || (value < 0 && rest > 0) : how == 1 ? rest > 0 : rest < 0;
}
TL_INLINE float tl_directed(double value, double rest, int how) {
    float nearest = (float)value;
    double missing = value - (double)nearest;
    if (missing == 0) missing = rest;
    if (!tl_beyond(nearest, missing, how)) return nearest;
    return nextafterf(nearest, how == 0 ? 0.0f : how == 1 ? INFINITY : -INFINITY);
}
// What a sum in double leaves out (Knuth's two-sum).
TL_INLINE double tl_rest_of_sum(double a, double b, double sum) {
    double other = sum - a;
    return (a - (sum - other)) + (b - other);
}
TL_INLINE float tl_add_directed(double a, double b, int how) {
    double sum = a + b;
    return tl_directed(sum, tl_rest_of_sum(a, b, sum), how);
}
TL_INLINE float tl_divide_directed(double a, double b, int how) {
    double quotient = a / b, rest = fma(-quotient, b, a);
    return tl_directed(quotient, b < 0 ? -rest : rest, how);
}
TL_INLINE float tl_root_directed(double a, int how) {
    double root = sqrt(a);
    return tl_directed(root, fma(-root, root, a), how);
}
TL_INLINE float tl_from_long(long long a, int how) {
    return tl_add_directed((double)(a >> 32) * 4294967296.0, (double)(unsigned)a, how);
}
TL_INLINE float tl_from_ulong(unsigned long long a, int how) {
    return tl_add_directed((double)(a >> 32) * 4294967296.0, (double)(unsigned)a, how);
}
#define TL_DIRECTED(mode, how)                                                                    \
    TL_INLINE float __fadd_##mode(float a, float b) { return tl_add_directed(a, b, how); }        \
    TL_INLINE float __fsub_##mode(float a, float b) { return tl_add_directed(a, -b, how); }       \
    TL_INLINE float __fmul_##mode(float a, float b) { return tl_directed((double)a * b, 0, how); } \
    TL_INLINE float __fdiv_##mode(float a, float b) { return tl_divide_directed(a, b, how); }     \
    TL_INLINE float __frcp_##mode(float a) { return tl_divide_directed(1, a, how); }              \
    TL_INLINE float __fsqrt_##mode(float a) { return tl_root_directed(a, how); }                  \
    TL_INLINE float __fmaf_##mode(float a, float b, float c) {                                    \
        double product = (double)a * b;                                                           \
        return tl_add_directed(product, c, how);                                                  \
    }                                                                                             \
    TL_INLINE float __double2float_##mode(double a) { return tl_directed(a, 0, how); }            \
    TL_INLINE float __int2float_##mode(int a) { return tl_directed(a, 0, how); }                  \
    TL_INLINE float __uint2float_##mode(unsigned a) { return tl_directed(a, 0, how); }            \
    TL_INLINE float __ll2float_##mode(long long a) { return tl_from_long(a, how); }               \
    TL_INLINE float __ull2float_##mode(unsigned long long a) { return tl_from_ulong(a, how); }
TL_DIRECTED(rz, 0)
TL_DIRECTED(ru, 1)
TL_DIRECTED(rd, 2)
#undef TL_DIRECTED
TL_INLINE float __ll2float_rn(long long a) { return (float)a; }
TL_INLINE float __ull2float_rn(unsigned long long a) { return (float)a; }
TL_INLINE double __ll2double_rn(long long a) { return (double)a; }
TL_INLINE double __ull2double_rn(unsigned long long a) { return (double)a; }
TL_INLINE double __uint2double_rn(unsigned a) { return (double)a; }

// To whole numbers, as PTX says of cvt: what is out of range becomes the nearest in range, and what
// is no number 0 from float to 32 bits, else the highest bit alone.
template <class T> TL_INLINE T tl_whole(double a, T no_number) {
    constexpr bool negative = T(-1) < T(0);
    constexpr T highest = T(1) << (sizeof(T) * 8 - 1), least = negative ? highest : T(0);
    constexpr T most = negative ? T(~highest) : T(-1);
    const double above = (negative ? 0.5 : 1.0) * (sizeof(T) == 4 ? 4294967296.0 : 18446744073709551616.0);
    if (a != a) return no_number;
    if (a >= above) return most;
    return a < (double)least ? least : (T)a;
}
#define TL_TO_WHOLE(name, F, T, no_number)                                                        \
    TL_INLINE T name##_rn(F a) { return tl_whole<T>(rint((double)a), no_number); }                \
    TL_INLINE T name##_rz(F a) { return tl_whole<T>(trunc((double)a), no_number); }               \
    TL_INLINE T name##_ru(F a) { return tl_whole<T>(ceil((double)a), no_number); }                \
    TL_INLINE T name##_rd(F a) { return tl_whole<T>(floor((double)a), no_number); }
TL_TO_WHOLE(__float2int, float, int, 0)
TL_TO_WHOLE(__float2uint, float, unsigned, 0)
TL_TO_WHOLE(__float2ll, float, long long, LLONG_MIN)
TL_TO_WHOLE(__float2ull, float, unsigned long long, 1ull << 63)
TL_TO_WHOLE(__double2int, double, int, INT_MIN)
TL_TO_WHOLE(__double2uint, double, unsigned, 1u << 31)
TL_TO_WHOLE(__double2ll, double, long long, LLONG_MIN)
TL_TO_WHOLE(__double2ull, double, unsigned long long, 1ull << 63)
#undef TL_TO_WHOLE
TL_INLINE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
TL_INLINE int __double2loint(double a) { return (int)__double_as_longlong(a); }
TL_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)(((unsigned long long)(unsigned)high << 32) | (unsigned)low));
}

// Bits and bytes.
TL_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
TL_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
TL_INLINE unsigned __urhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
TL_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)(((((unsigned long long)hi << 32) | lo) << umin(by, 32)) >> 32);
}
TL_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned by) {
    return (unsigned)((((unsigned long long)hi << 32) | lo) >> umin(by, 32));
}
// The position of the offset-th bit that is set, from `base` up or, if negative, down; ~0 for none.
TL_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
    int left = offset < 0 ? -offset : offset;
    for (int at = (int)base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if ((mask >> at & 1) && --left == 0) return (unsigned)at;
    return ~0u;
}
TL_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return c;
}
TL_INLINE int __dp2a_lo(int a, int b, int c) {
    return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
TL_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
TL_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
TL_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

// Two halves or four bytes of a word at a time. A result is truncated to the part's width.
template <class T, class F> TL_INLINE unsigned tl_parts(unsigned a, unsigned b, F f) {
    constexpr int width = sizeof(T) * 8;
    constexpr unsigned mask = (1u << width) - 1;
    unsigned result = 0;
    for (int at = 0; at < 32; at += width)
        result |= ((unsigned)f((int)(T)(a >> at), (int)(T)(b >> at)) & mask) << at;
    return result;
}
template <class T> TL_INLINE unsigned tl_sum_of_parts(unsigned a) {
    unsigned sum = 0;
    for (int at = 0; at < 32; at += (int)sizeof(T) * 8) sum += (unsigned)(T)(a >> at);
    return sum;
}
TL_INLINE int tl_between(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}
// Half of a sum, with a half away from zero.
TL_INLINE int tl_middle(int sum) { return (sum + (sum >= 0)) >> 1; }
#define TL_PARTS(name, T, expression)                                                             \
    TL_INLINE unsigned name(unsigned a, unsigned b) {                                             \
        return tl_parts<T>(a, b, [](int x, int y) { return expression; });                        \
    }
#define TL_COMPARED(what, n, T, expression)                                                       \
    TL_PARTS(__vcmp##what##n, T, (expression) ? -1 : 0)                                           \
    TL_PARTS(__vset##what##n, T, (expression) ? 1 : 0)
#define TL_PARTED(n, S, U, least, most, all)                                                      \
    TL_PARTS(__vadd##n, U, x + y)                                                                 \
    TL_PARTS(__vsub##n, U, x - y)                                                                 \
    TL_PARTS(__vaddss##n, S, tl_between(x + y, least, most))                                      \
    TL_PARTS(__vsubss##n, S, tl_between(x - y, least, most))                                      \
    TL_PARTS(__vaddus##n, U, tl_between(x + y, 0, all))                                           \
    TL_PARTS(__vsubus##n, U, tl_between(x - y, 0, all))                                           \
    TL_PARTS(__vavgu##n, U, (x + y + 1) >> 1)                                                     \
    TL_PARTS(__vavgs##n, S, tl_middle(x + y))                                                     \
    TL_PARTS(__vhaddu##n, U, (x + y) >> 1)                                                        \
    TL_PARTS(__vmaxs##n, S, x > y ? x : y)                                                        \
    TL_PARTS(__vmins##n, S, x < y ? x : y)                                                        \
    TL_PARTS(__vmaxu##n, U, x > y ? x : y)                                                        \
    TL_PARTS(__vminu##n, U, x < y ? x : y)                                                        \
    TL_PARTS(__vabsdiffs##n, S, x > y ? x - y : y - x)                                            \
    TL_PARTS(__vabsdiffu##n, U, x > y ? x - y : y - x)                                            \
    TL_COMPARED(eq, n, U, x == y)                                                                 \
    TL_COMPARED(ne, n, U, x != y)                                                                 \
    TL_COMPARED(gts, n, S, x > y)                                                                 \
    TL_COMPARED(gtu, n, U, x > y)                                                                 \
    TL_COMPARED(ges, n, S, x >= y)                                                                \
    TL_COMPARED(geu, n, U, x >= y)                                                                \
    TL_COMPARED(lts, n, S, x < y)                                                                 \
    TL_COMPARED(ltu, n, U, x < y)                                                                 \
    TL_COMPARED(les, n, S, x <= y)                                                                \
    TL_COMPARED(leu, n, U, x <= y)                                                                \
    TL_INLINE unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }                          \
    TL_INLINE unsigned __vnegss##n(unsigned a) { return __vsubss##n(0, a); }                      \
    TL_INLINE unsigned __vabsss##n(unsigned a) { return __vmaxs##n(a, __vnegss##n(a)); }          \
    TL_INLINE unsigned __vsads##n(unsigned a, unsigned b) {                                       \
        return tl_sum_of_parts<U>(__vabsdiffs##n(a, b));                                          \
    }                                                                                             \
    TL_INLINE unsigned __vsadu##n(unsigned a, unsigned b) {                                       \
        return tl_sum_of_parts<U>(__vabsdiffu##n(a, b));                                          \
    }                                                                                             \
    TL_INLINE unsigned __vabs##n(unsigned a) {                                                    \
        return tl_parts<S>(a, 0, [](int x, int) { return x < 0 ? -x : x; });                      \
    }
TL_PARTED(2, short, unsigned short, -32768, 32767, 65535)
TL_PARTED(4, signed char, unsigned char, -128, 127, 255)
#undef TL_PARTED
#undef TL_COMPARED
#undef TL_PARTS
