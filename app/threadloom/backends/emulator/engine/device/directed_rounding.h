// SPDX-License-Identifier: MIT
// Arithmetic of doubles in a given direction, from what the nearest result leaves out. That is exact
// wherever it is a double; where it would fall below the least one, a few steps of size go first.
#pragma once
#include "device/intrinsics.h"

// `nearest`, or its neighbor in the requested direction. How: 0 towards zero, 1 up, 2 down.
TL_INLINE double tl_moved(double nearest, double rest, int how) {
    if (nearest != nearest) return nearest;
    if (__builtin_isinf(nearest)) return nearest;
    if (!tl_beyond(nearest, rest, how)) {
        if (nearest != 0 || rest == 0) return nearest;
        return how == 1 && rest > 0 ? 4.9e-324 : how == 2 && rest < 0 ? -4.9e-324 : nearest;
    }
    return nextafter(nearest, how == 0 ? 0.0 : how == 1 ? HUGE_VAL : -HUGE_VAL);
}
// A finite result that is too large for a double lies between the largest one and infinity.
TL_INLINE double tl_overflown(double nearest, bool finite, int how) {
    if (!finite || !__builtin_isinf(nearest)) return nearest;
    bool kept = how == 0 || (how == 1) == (nearest < 0);
    return kept ? (nearest < 0 ? -DBL_MAX : DBL_MAX) : nearest;
}
TL_INLINE double tl_add_double(double a, double b, int how) {
    double sum = a + b;
    if (__builtin_isinf(sum)) return tl_overflown(sum, isfinite(a) && isfinite(b), how);
    if (sum == 0 && a == -b && a != 0) return how == 2 ? -0.0 : 0.0;
    return tl_moved(sum, tl_rest_of_sum(a, b, sum), how);
}
// What `whole` leaves out of a b + c: the product in two parts, added to c in three (Boldo and Muller,
// 2005).
TL_INLINE double tl_rest_of_fma(double a, double b, double c, double whole) {
    double high = a * b, low = fma(a, b, -high);
    double part = c + low, lost = tl_rest_of_sum(c, low, part);
    double sum = high + part, rest = tl_rest_of_sum(high, part, sum);
    return ((sum - whole) + rest) + lost;
}
TL_INLINE double tl_fma_double(double a, double b, double c, int how) {
    double whole = fma(a, b, c), high = a * b;
    if (__builtin_isinf(whole)) return tl_overflown(whole, isfinite(a) && isfinite(b) && isfinite(c), how);
    if (whole != whole || __builtin_isinf(high) || a == 0 || b == 0) return whole;
    if (fabs(high) > 1e-280) return tl_moved(whole, tl_rest_of_fma(a, b, c, whole), how);
    // A product that lies below all digits of c, or of any double, counts by its sign alone.
    if (fabs(c) > 1e-100 || ilogb(a) + ilogb(b) < -1134) return tl_moved(whole, (a > 0) == (b > 0) ? 1 : -1, how);
    double rest = tl_rest_of_fma(a * 0x1p500, b * 0x1p500, c * 0x1p1000, whole * 0x1p1000);
    return tl_moved(whole, rest, how);
}
TL_INLINE double tl_multiply_double(double a, double b, int how) {
    double product = a * b;
    if (__builtin_isinf(product)) return tl_overflown(product, isfinite(a) && isfinite(b), how);
    if (product != product || a == 0 || b == 0) return product;
    if (product == 0) return tl_moved(product, (a > 0) == (b > 0) ? 1 : -1, how);
    if (fabs(product) > 1e-280) return tl_moved(product, fma(a, b, -product), how);
    // What is missing from so small a product shows when all is scaled up.
    double larger = fabs(a) < fabs(b) ? a : b, other = fabs(a) < fabs(b) ? b : a;
    double scaled = larger * 0x1p200, exact = scaled * other, left = fma(scaled, other, -exact);
    return tl_moved(product, (exact - product * 0x1p200) + left, how);
}
TL_INLINE double tl_divide_double(double a, double b, int how) {
    double quotient = a / b;
    if (__builtin_isinf(quotient)) return tl_overflown(quotient, isfinite(a) && b != 0, how);
    if (quotient != quotient || a == 0 || __builtin_isinf(b)) return quotient;
    if (quotient == 0) return tl_moved(quotient, (a > 0) == (b > 0) ? 1 : -1, how);
    double up = fabs(a) < 1e-200 ? 0x1p300 : fabs(a) > 1e200 ? 0x1p-300 : 1.0;
    double rest = fma(-quotient, b * up, a * up);
    return tl_moved(quotient, b < 0 ? -rest : rest, how);
}
TL_INLINE double tl_root_double(double a, int how) {
    double root = sqrt(a);
    if (!(a > 0) || __builtin_isinf(a)) return root;
    double up = a < 1e-200 ? 0x1p150 : 1.0;
    return tl_moved(root, fma(-root * up, root * up, a * up * up), how);
}
TL_INLINE double tl_double_from_long(long long a, int how) {
    double nearest = (double)a;
    return tl_moved(nearest, (double)(long long)((__int128)a - (__int128)nearest), how);
}
TL_INLINE double tl_double_from_ulong(unsigned long long a, int how) {
    double nearest = (double)a;
    return tl_moved(nearest, (double)(long long)((__int128)a - (__int128)nearest), how);
}
#define TL_DIRECTED(mode, how)                                                                    \
    TL_INLINE double __dadd_##mode(double a, double b) { return tl_add_double(a, b, how); }       \
    TL_INLINE double __dsub_##mode(double a, double b) { return tl_add_double(a, -b, how); }      \
    TL_INLINE double __dmul_##mode(double a, double b) { return tl_multiply_double(a, b, how); }  \
    TL_INLINE double __ddiv_##mode(double a, double b) { return tl_divide_double(a, b, how); }    \
    TL_INLINE double __drcp_##mode(double a) { return tl_divide_double(1, a, how); }              \
    TL_INLINE double __dsqrt_##mode(double a) { return tl_root_double(a, how); }                  \
    TL_INLINE double __fma_##mode(double a, double b, double c) { return tl_fma_double(a, b, c, how); } \
    TL_INLINE double __ll2double_##mode(long long a) { return tl_double_from_long(a, how); }      \
    TL_INLINE double __ull2double_##mode(unsigned long long a) { return tl_double_from_ulong(a, how); } \
    TL_INLINE float __fmaf_ieee_##mode(float a, float b, float c) { return __fmaf_##mode(a, b, c); }
TL_DIRECTED(rz, 0)
TL_DIRECTED(ru, 1)
TL_DIRECTED(rd, 2)
#undef TL_DIRECTED
TL_INLINE float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
