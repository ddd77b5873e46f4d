// SPDX-License-Identifier: MIT
// Complex numbers as cuComplex.h has them: float2 and double2 with functions.
#pragma once
#include "device/functions.h"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

#define TL_COMPLEX(C, R, f, absolute)                                                             \
    TL_INLINE R cuCreal##f(C a) { return a.x; }                                                   \
    TL_INLINE R cuCimag##f(C a) { return a.y; }                                                   \
    TL_INLINE C cuConj##f(C a) { return {a.x, -a.y}; }                                            \
    TL_INLINE C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                            \
    TL_INLINE C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                            \
    TL_INLINE C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
    TL_INLINE C cuCdiv##f(C a, C b) {                                                             \
        R s = absolute(b.x) + absolute(b.y), o = R(1) / s;                                        \
        R ar = a.x * o, ai = a.y * o, br = b.x * o, bi = b.y * o;                                 \
        s = R(1) / (br * br + bi * bi);                                                           \
        return {(ar * br + ai * bi) * s, (ai * br - ar * bi) * s};                                \
    }                                                                                             \
    TL_INLINE R cuCabs##f(C a) { return hypot(a.x, a.y); }                                        \
    TL_INLINE C cuCfma##f(C a, C b, C c) {                                                        \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                        \
    }
TL_COMPLEX(float2, float, f, fabsf)
TL_COMPLEX(double2, double, , fabs)
#undef TL_COMPLEX
TL_INLINE cuFloatComplex make_cuFloatComplex(float re, float im) { return {re, im}; }
TL_INLINE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
TL_INLINE cuDoubleComplex make_cuDoubleComplex(double re, double im) { return {re, im}; }
TL_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
TL_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
