// SPDX-License-Identifier: MIT
// Intrinsics of short vectors, and those of dynamic programming: the largest of several sums.
#pragma once
#include "device/intrinsics.h"

// Products of short vectors.
TL_INLINE int tl_word_of(char4 a) { return (int)((unsigned)(tl_u8)a.x | (unsigned)(tl_u8)a.y << 8 | (unsigned)(tl_u8)a.z << 16 | (unsigned)(tl_u8)a.w << 24); }
TL_INLINE unsigned tl_word_of(uchar4 a) { return (unsigned)a.x | (unsigned)a.y << 8 | (unsigned)a.z << 16 | (unsigned)a.w << 24; }
TL_INLINE int tl_word_of(short2 a) { return (int)((unsigned)(tl_u16)a.x | (unsigned)(tl_u16)a.y << 16); }
TL_INLINE unsigned tl_word_of(ushort2 a) { return (unsigned)a.x | (unsigned)a.y << 16; }
TL_INLINE int __dp4a(char4 a, char4 b, int c) { return __dp4a(tl_word_of(a), tl_word_of(b), c); }
TL_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(tl_word_of(a), tl_word_of(b), c); }
TL_INLINE int __dp2a_lo(short2 a, char4 b, int c) { return __dp2a_lo(tl_word_of(a), tl_word_of(b), c); }
TL_INLINE int __dp2a_hi(short2 a, char4 b, int c) { return __dp2a_hi(tl_word_of(a), tl_word_of(b), c); }
TL_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return __dp2a_lo(tl_word_of(a), tl_word_of(b), c); }
TL_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return __dp2a_hi(tl_word_of(a), tl_word_of(b), c); }

// The largest and smallest of two, three and of a sum, with or without zero as the least: of words,
// and of two halves of a word.
template <class T, class F> TL_INLINE unsigned tl_of_halves(unsigned a, unsigned b, unsigned c, F f) {
    unsigned low = (tl_u16)f((T)a, (T)b, (T)c), high = (tl_u16)f((T)(a >> 16), (T)(b >> 16), (T)(c >> 16));
    return low | high << 16;
}
#define TL_OF_THREE(name, W, T, word, half, expression)                                           \
    TL_INLINE W name##_##word(W a, W b, W c) { return expression(W); }                            \
    TL_INLINE unsigned name##_##half##x2(unsigned a, unsigned b, unsigned c) {                    \
        return tl_of_halves<T>(a, b, c, [](T a, T b, T c) -> T { return expression(T); });        \
    }
#define TL_MAX3(T) ((a > b ? a : b) > c ? (a > b ? a : b) : c)
#define TL_MIN3(T) ((a < b ? a : b) < c ? (a < b ? a : b) : c)
#define TL_ADDMAX(T) ((T)(a + b) > c ? (T)(a + b) : c)
#define TL_ADDMIN(T) ((T)(a + b) < c ? (T)(a + b) : c)
#define TL_POSITIVE(T, value) ((value) > (T)0 ? (value) : (T)0)
#define TL_MAX3_RELU(T) TL_POSITIVE(T, TL_MAX3(T))
#define TL_MIN3_RELU(T) TL_POSITIVE(T, TL_MIN3(T))
#define TL_ADDMAX_RELU(T) TL_POSITIVE(T, TL_ADDMAX(T))
#define TL_ADDMIN_RELU(T) TL_POSITIVE(T, TL_ADDMIN(T))
#define TL_SIGNED_OF_THREE(name, expression)                                                      \
    TL_OF_THREE(name, int, short, s32, s16, expression)                                           \
    TL_OF_THREE(name, unsigned, tl_u16, u32, u16, expression)
TL_SIGNED_OF_THREE(__vimax3, TL_MAX3)
TL_SIGNED_OF_THREE(__vimin3, TL_MIN3)
TL_SIGNED_OF_THREE(__viaddmax, TL_ADDMAX)
TL_SIGNED_OF_THREE(__viaddmin, TL_ADDMIN)
#define TL_RELU_OF_THREE(name, expression)                                                        \
    TL_INLINE int name##_s32_relu(int a, int b, int c) { return expression(int); }                \
    TL_INLINE unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                    \
        return tl_of_halves<short>(a, b, c, [](short a, short b, short c) -> short { return expression(short); }); \
    }
TL_RELU_OF_THREE(__vimax3, TL_MAX3_RELU)
TL_RELU_OF_THREE(__vimin3, TL_MIN3_RELU)
TL_RELU_OF_THREE(__viaddmax, TL_ADDMAX_RELU)
TL_RELU_OF_THREE(__viaddmin, TL_ADDMIN_RELU)
TL_INLINE int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
TL_INLINE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
TL_INLINE unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2(a, b, 0); }
TL_INLINE unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
#undef TL_MAX3
#undef TL_MIN3
#undef TL_ADDMAX
#undef TL_ADDMIN
#undef TL_POSITIVE
#undef TL_MAX3_RELU
#undef TL_MIN3_RELU
#undef TL_ADDMAX_RELU
#undef TL_ADDMIN_RELU
#undef TL_SIGNED_OF_THREE
#undef TL_RELU_OF_THREE
#undef TL_OF_THREE
TL_INLINE unsigned short __nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
TL_INLINE unsigned __nv_bswap32(unsigned a) { return __builtin_bswap32(a); }
TL_INLINE unsigned long long __nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }
