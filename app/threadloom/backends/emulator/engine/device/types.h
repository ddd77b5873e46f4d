// SPDX-License-Identifier: MIT
// Integer names and CUDA's vector types, with the alignment that the programming guide gives them.
#pragma once
#include "device/constants.h"

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#ifndef NULL
#define NULL nullptr
#endif

// A copy is one access of up to 16 bytes, as on a GPU; one of three elements is three. Vectors, as
// the compiler would split integers.
// Without debug information of their own, such functions bear the line that calls them.
#define TL_MEMBER inline __attribute__((always_inline, nodebug))
#define TL_VECTOR(T, name, align2, align4)                                                        \
    struct name##1 { T x; };                                                                      \
    struct alignas(align2) name##2 {                                                              \
        T x, y;                                                                                   \
        TL_WHOLE_COPY(name##2, sizeof(T) * 2)                                                     \
        constexpr TL_MEMBER name##2(T x, T y = {}) : x(x), y(y) {}                                \
    };                                                                                            \
    struct name##3 {                                                                              \
        T x, y, z;                                                                                \
        name##3() = default;                                                                      \
        constexpr TL_MEMBER name##3(T x, T y = {}, T z = {}) : x(x), y(y), z(z) {}                \
        constexpr TL_MEMBER name##3(const name##3 &o) : x(o.x), y(o.y), z(o.z) {}                 \
        TL_MEMBER name##3 &operator=(const name##3 &o) {                                          \
            x = o.x;                                                                              \
            y = o.y;                                                                              \
            z = o.z;                                                                              \
            return *this;                                                                         \
        }                                                                                         \
    };                                                                                            \
    struct alignas(align4) name##4 {                                                              \
        T x, y, z, w;                                                                             \
        TL_WHOLE_COPY(name##4, sizeof(T) * 4)                                                     \
        constexpr TL_MEMBER name##4(T x, T y = {}, T z = {}, T w = {})                            \
            : x(x), y(y), z(z), w(w) {}                                                           \
    };                                                                                            \
    static inline name##1 make_##name##1(T x) { return {x}; }                                     \
    static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                             \
    static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                     \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

template <int N> struct tl_word;
template <> struct tl_word<2> { typedef unsigned char type __attribute__((vector_size(2))); };
template <> struct tl_word<4> { typedef unsigned short type __attribute__((vector_size(4))); };
template <> struct tl_word<8> { typedef unsigned int type __attribute__((vector_size(8))); };
template <> struct tl_word<16> { typedef unsigned int type __attribute__((vector_size(16))); };
#define TL_WHOLE_COPY(name, size)                                                                 \
    name() = default;                                                                             \
    TL_MEMBER name(const name &o) {                                                               \
        tl_copied<size>(this, &o);                                                                \
    }                                                                                             \
    TL_MEMBER name &operator=(const name &o) {                                                    \
        tl_copied<size>(this, &o);                                                                \
        return *this;                                                                             \
    }
template <int N> static TL_MEMBER void tl_copied(void *to, const void *from) {
    typedef typename tl_word<(N > 16 ? 16 : N)>::type word;
    for (int i = 0; i < (N > 16 ? N / 16 : 1); ++i) ((word *)to)[i] = ((const word *)from)[i];
}

TL_VECTOR(signed char, char, 2, 4)
TL_VECTOR(unsigned char, uchar, 2, 4)
TL_VECTOR(short, short, 4, 8)
TL_VECTOR(unsigned short, ushort, 4, 8)
TL_VECTOR(int, int, 8, 16)
TL_VECTOR(unsigned int, uint, 8, 16)
TL_VECTOR(long, long, 2 * sizeof(long), 16)
TL_VECTOR(unsigned long, ulong, 2 * sizeof(long), 16)
TL_VECTOR(long long, longlong, 16, 16)
TL_VECTOR(unsigned long long, ulonglong, 16, 16)
TL_VECTOR(float, float, 8, 16)
TL_VECTOR(double, double, 16, 16)
#undef TL_VECTOR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    operator uint3() const { return {x, y, z}; }
};
