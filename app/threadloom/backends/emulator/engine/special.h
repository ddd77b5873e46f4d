// SPDX-License-Identifier: MIT
// Functions that CUDA has beyond C: inverses of the error function, norms, Bessel functions.
#pragma once
#include "functions.h"

// Halley's steps towards the y with erfc(y) = q (or erf(y) = x, where that is the smaller), from
// Winitzki's approximation. 0 < q <= 1.
TL_INLINE double tl_inverse_start(double outside) {
    double w = log(outside), t = 2 / (M_PI * 0.147) + w / 2;
    return sqrt(sqrt(t * t - w / 0.147) - t);
}
TL_INLINE double erfcinv(double q) {
    if (!(q >= 0 && q <= 2)) return NAN;
    if (q == 0 || q == 2) return q == 0 ? HUGE_VAL : -HUGE_VAL;
    double part = q > 1 ? 2 - q : q, y = tl_inverse_start(part * (2 - part));
    for (int i = 0; i < 4; ++i) {
        double step = (part - erfc(y)) / (M_2_SQRTPI * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return q > 1 ? -y : y;
}
TL_INLINE double erfinv(double x) {
    if (fabs(x) > 0.5) return x > 0 ? erfcinv(1 - x) : -erfcinv(1 + x);
    if (x == 0 || x != x) return x;
    double y = x * 0.886226925452758;
    for (int i = 0; i < 5; ++i) {
        double step = (erf(y) - x) / (M_2_SQRTPI * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return y;
}
TL_INLINE float erfinvf(float x) { return (float)erfinv((double)x); }
TL_INLINE float erfcinvf(float x) { return (float)erfcinv((double)x); }
TL_INLINE double normcdfinv(double p) { return -M_SQRT2 * erfcinv(2 * p); }
TL_INLINE float normcdfinvf(float p) { return (float)normcdfinv((double)p); }

TL_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
TL_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
TL_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
TL_INLINE double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
TL_INLINE float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
TL_INLINE float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }

// Modified Bessel functions of the first kind by their series, whose terms are all of one sign.
TL_INLINE double tl_bessel(double x, int order) {
    double quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 2000 && fabs(term) > fabs(sum) * 1e-17; ++k) {
        term *= quarter / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}
TL_INLINE double cyl_bessel_i0(double x) { return tl_bessel(x, 0); }
TL_INLINE double cyl_bessel_i1(double x) { return tl_bessel(x, 1); }
TL_INLINE float cyl_bessel_i0f(float x) { return (float)tl_bessel(x, 0); }
TL_INLINE float cyl_bessel_i1f(float x) { return (float)tl_bessel(x, 1); }
