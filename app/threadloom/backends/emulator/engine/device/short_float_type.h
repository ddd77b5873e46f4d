// SPDX-License-Identifier: MIT
// What half and bfloat16 have alike: pairs, conversions from and to float, and rounding in a direction.
#pragma once
#include "device/intrinsics.h"

// Short floats of one sign are in the order of their bits, so that the next one is one bit away.
TL_INLINE unsigned short tl_next_bits(unsigned short bits, int how) {
    if ((bits & 0x7fff) == 0) return how == 1 ? 0x0001 : 0x8001;
    bool away = how == 0 ? false : (how == 1) == !(bits & 0x8000);
    return (unsigned short)(bits + (away ? 1 : -1));
}

#define TL_SHORT_TYPE(name, T, T2)                                                                \
    struct alignas(4) T2 {                                                                        \
        T x, y;                                                                                   \
        T2() = default;                                                                           \
        constexpr TL_INLINE_MEMBER T2(T a, T b) : x(a), y(b) {}                                   \
    };                                                                                            \
    TL_INLINE T2 make_##name##2(T a, T b) { return {a, b}; }                                      \
    TL_INLINE T2 __halves2##name##2(T a, T b) { return {a, b}; }                                  \
    TL_INLINE T2 __##name##2##name##2(T a) { return {a, a}; }                                     \
    TL_INLINE T2 __lows2##name##2(T2 a, T2 b) { return {a.x, b.x}; }                              \
    TL_INLINE T2 __highs2##name##2(T2 a, T2 b) { return {a.y, b.y}; }                             \
    TL_INLINE T2 __low2##name##2(T2 a) { return {a.x, a.x}; }                                     \
    TL_INLINE T2 __high2##name##2(T2 a) { return {a.y, a.y}; }                                    \
    TL_INLINE T __low2##name(T2 a) { return a.x; }                                                \
    TL_INLINE T __high2##name(T2 a) { return a.y; }                                               \
    TL_INLINE T2 __lowhigh2highlow(T2 a) { return {a.y, a.x}; }                                   \
    TL_INLINE T __float2##name(float a) { return T(a); }                                          \
    TL_INLINE T __float2##name##_rn(float a) { return T(a); }                                     \
    TL_INLINE T __double2##name(double a) { return T(a); }                                        \
    TL_INLINE float __##name##2float(T a) { return (float)a; }                                    \
    TL_INLINE T2 __floats2##name##2_rn(float a, float b) { return {T(a), T(b)}; }                 \
    TL_INLINE T2 __float2##name##2_rn(float a) { return {T(a), T(a)}; }                           \
    TL_INLINE T2 __float22##name##2_rn(float2 a) { return {T(a.x), T(a.y)}; }                     \
    TL_INLINE float2 __##name##22float2(T2 a) { return {(float)a.x, (float)a.y}; }                \
    TL_BITS(__##name##_as_ushort, unsigned short, T)                                              \
    TL_BITS(__##name##_as_short, short, T)                                                        \
    TL_BITS(__ushort_as_##name, T, unsigned short)                                                \
    TL_BITS(__short_as_##name, T, short)                                                          \
    TL_INLINE T tl_##name##_directed(double a, int how) {                                         \
        T nearest = T(a);                                                                         \
        double value = (double)(float)nearest;                                                    \
        if (a != a || !tl_beyond(value, a - value, how)) {                                        \
            bool lost = value == 0 && a != 0 && how == (a > 0 ? 1 : 2);                           \
            return lost ? __ushort_as_##name(how == 1 ? 0x0001 : 0x8001) : nearest;               \
        }                                                                                         \
        return __ushort_as_##name(tl_next_bits(__##name##_as_ushort(nearest), how));              \
    }
