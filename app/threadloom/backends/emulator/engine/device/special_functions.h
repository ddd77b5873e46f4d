// SPDX-License-Identifier: MIT
// Functions that CUDA has beyond C: inverses of the error function, norms, Bessel functions.
#pragma once
#include "device/functions.h"

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

// erfcx(x) = exp(x*x) erfc(x): by itself where both are of use, else by a continued fraction
// (Abramowitz and Stegun, 7.1.14), whose depth is enough for a double from 9 on.
TL_INLINE double erfcx(double x) {
    if (x < 9) {
        double high = (double)(float)x, low = x - high;
        return exp(high * high) * exp((x + high) * low) * erfc(x);
    }
    if (x > 1e7) return 0.56418958354775628695 / x;
    double fraction = 0;
    for (int k = 60; k > 0; --k) fraction = k / 2.0 / (x + fraction);
    return 0.56418958354775628695 / (x + fraction);
}
TL_INLINE float erfcxf(float x) { return (float)erfcx((double)x); }

// Of an angle in half turns: whole and quarter turns are exact.
TL_INLINE double tl_sine_of_turns(double x, int quarter) {
    double left = fmod(x, 2.0), steps = rint(left * 2), rest = left - steps / 2;
    int part = ((int)steps + quarter) & 3;
    double value = part & 1 ? cos(M_PI * rest) : sin(M_PI * rest);
    return part & 2 ? -value : value;
}
TL_INLINE double sinpi(double x) { return tl_sine_of_turns(x, 0); }
TL_INLINE double cospi(double x) { return tl_sine_of_turns(x, 1); }
TL_INLINE float sinpif(float x) { return (float)sinpi((double)x); }
TL_INLINE float cospif(float x) { return (float)cospi((double)x); }
TL_INLINE void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
TL_INLINE void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
TL_INLINE float sinpi(float x) { return sinpif(x); }
TL_INLINE float cospi(float x) { return cospif(x); }
TL_INLINE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

TL_INLINE double norm(int count, const double *p) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum = hypot(sum, p[i]);
    return sum;
}
TL_INLINE float normf(int count, const float *p) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += (double)p[i] * p[i];
    return (float)sqrt(sum);
}
TL_INLINE double rnorm(int count, const double *p) { return 1 / norm(count, p); }
TL_INLINE float rnormf(int count, const float *p) { return 1 / normf(count, p); }
TL_INLINE double rhypot(double a, double b) { return 1 / hypot(a, b); }

TL_INLINE double nan(const char *) { return NAN; }
TL_INLINE float nanf(const char *) { return NAN; }

// The same for a float under the name of the double's, as CUDA's C++ headers have it.
#define TL_FOR_FLOAT(name) TL_INLINE float name(float a) { return name##f(a); }
TL_FOR_FLOAT(erfinv)
TL_FOR_FLOAT(erfcinv)
TL_FOR_FLOAT(erfcx)
TL_FOR_FLOAT(normcdf)
TL_FOR_FLOAT(normcdfinv)
TL_FOR_FLOAT(rcbrt)
TL_FOR_FLOAT(exp10)
TL_FOR_FLOAT(j0)
TL_FOR_FLOAT(j1)
TL_FOR_FLOAT(y0)
TL_FOR_FLOAT(y1)
TL_FOR_FLOAT(cyl_bessel_i0)
TL_FOR_FLOAT(cyl_bessel_i1)
#undef TL_FOR_FLOAT
#define TL_FOR_FLOAT(R, name) TL_INLINE R name(float a) { return name##f(a); }
TL_FOR_FLOAT(int, ilogb)
TL_FOR_FLOAT(long, lrint)
TL_FOR_FLOAT(long, lround)
TL_FOR_FLOAT(long long, llrint)
TL_FOR_FLOAT(long long, llround)
#undef TL_FOR_FLOAT
