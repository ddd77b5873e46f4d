// SPDX-License-Identifier: MIT
// Integer names and CUDA's vector types, with the alignment that the programming guide gives them.
#pragma once

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
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define CUDART_INF_F (__builtin_inff())
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

// A copy is one access of up to 16 bytes, as on a GPU; one of three elements is three. Vectors, as
// the compiler would split integers.
// Without debug information of their own, such functions bear the line that calls them.
#define TL_MEMBER inline __attribute__((always_inline, nodebug))
#define TL_VECTOR(T, name, align2, align4)                                                        \
    struct name##1 { T x; };                                                                      \
    struct alignas(align2) name##2 {                                                              \
        T x, y;                                                                                   \
        TL_WHOLE_COPY(name##2, sizeof(T) * 2)                                                     \
        constexpr TL_MEMBER name##2(T x, T y = {}) : x(x), y(y) {}                               \
    };                                                                                            \
    struct name##3 {                                                                              \
        T x, y, z;                                                                                \
        name##3() = default;                                                                      \
        constexpr TL_MEMBER name##3(T x, T y = {}, T z = {}) : x(x), y(y), z(z) {}              \
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
        constexpr TL_MEMBER name##4(T x, T y = {}, T z = {}, T w = {})                         \
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
