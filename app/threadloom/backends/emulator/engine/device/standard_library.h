// SPDX-License-Identifier: MIT
// What device code mostly uses of the C++ library: mathematics, whole numbers, limits and types.
#pragma once
#include "device/functions.h"

namespace std {

using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;

using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;

template <class T> TL_INLINE constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> TL_INLINE constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> TL_INLINE constexpr const T &clamp(const T &v, const T &least, const T &most) {
    return v < least ? least : most < v ? most : v;
}
template <class T> TL_INLINE void swap(T &a, T &b) {
    T kept = a;
    a = b;
    b = kept;
}

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    constexpr TL_INLINE_MEMBER operator T() const { return v; }
    constexpr TL_INLINE_MEMBER T operator()() const { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
#define TL_TRAIT(name, condition)                                                                 \
    template <class T> struct name : bool_constant<condition> {};                                 \
    template <class T> inline constexpr bool name##_v = condition;
TL_TRAIT(is_integral, __is_integral(T))
TL_TRAIT(is_floating_point, __is_floating_point(T))
TL_TRAIT(is_arithmetic, __is_arithmetic(T))
TL_TRAIT(is_signed, __is_signed(T))
TL_TRAIT(is_unsigned, __is_unsigned(T))
TL_TRAIT(is_pointer, __is_pointer(T))
TL_TRAIT(is_void, __is_void(T))
TL_TRAIT(is_enum, __is_enum(T))
TL_TRAIT(is_class, __is_class(T))
TL_TRAIT(is_const, __is_const(T))
TL_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
#undef TL_TRAIT
template <class A, class B> struct is_same : bool_constant<__is_same(A, B)> {};
template <class A, class B> inline constexpr bool is_same_v = __is_same(A, B);
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class A, class B> inline constexpr bool is_base_of_v = __is_base_of(A, B);
template <class A, class B> struct is_convertible : bool_constant<__is_convertible_to(A, B)> {};
template <class A, class B> inline constexpr bool is_convertible_v = __is_convertible_to(A, B);
#define TL_WITHOUT(name, from)                                                                    \
    template <class T> struct name<from> { typedef T type; };
template <class T> struct remove_reference { typedef T type; };
TL_WITHOUT(remove_reference, T &)
TL_WITHOUT(remove_reference, T &&)
template <class T> struct remove_const { typedef T type; };
TL_WITHOUT(remove_const, const T)
template <class T> struct remove_volatile { typedef T type; };
TL_WITHOUT(remove_volatile, volatile T)
template <class T> struct remove_pointer { typedef T type; };
TL_WITHOUT(remove_pointer, T *)
TL_WITHOUT(remove_pointer, T *const)
#undef TL_WITHOUT
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct remove_cv { typedef remove_const_t<remove_volatile_t<T>> type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct decay { typedef __decay(T) type; };
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct make_signed { typedef __make_signed(T) type; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class...> using void_t = void;
template <class T> T &&declval();
template <class T> TL_INLINE constexpr T &&forward(remove_reference_t<T> &v) { return static_cast<T &&>(v); }
template <class T> TL_INLINE constexpr T &&forward(remove_reference_t<T> &&v) { return static_cast<T &&>(v); }
template <class T> TL_INLINE constexpr remove_reference_t<T> &&move(T &&v) {
    return static_cast<remove_reference_t<T> &&>(v);
}
template <size_t... I> struct index_sequence { static constexpr size_t size() { return sizeof...(I); } };
template <size_t N, size_t... I> struct tl_made_sequence : tl_made_sequence<N - 1, N - 1, I...> {};
template <size_t... I> struct tl_made_sequence<0, I...> { typedef index_sequence<I...> type; };
template <size_t N> using make_index_sequence = typename tl_made_sequence<N>::type;

#define TL_CALLED(name, R, expression)                                                            \
    template <class T = void> struct name {                                                       \
        constexpr TL_INLINE_MEMBER R operator()(const T &a, const T &b) const { return expression; } \
    };                                                                                            \
    template <> struct name<void> {                                                               \
        template <class A, class B> constexpr TL_INLINE_MEMBER auto operator()(A a, B b) const {  \
            return expression;                                                                    \
        }                                                                                         \
    };
TL_CALLED(plus, T, a + b)
TL_CALLED(minus, T, a - b)
TL_CALLED(multiplies, T, a * b)
TL_CALLED(divides, T, a / b)
TL_CALLED(less, bool, a < b)
TL_CALLED(greater, bool, a > b)
TL_CALLED(equal_to, bool, a == b)
#undef TL_CALLED

template <class A, class B> struct pair {
    A first;
    B second;
};
template <class A, class B> TL_INLINE constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) {
    return {forward<A>(a), forward<B>(b)};
}
template <class T, size_t N> struct array {
    typedef T value_type;
    T tl_items[N];
    constexpr TL_INLINE_MEMBER T &operator[](size_t i) { return tl_items[i]; }
    constexpr TL_INLINE_MEMBER const T &operator[](size_t i) const { return tl_items[i]; }
    constexpr TL_INLINE_MEMBER size_t size() const { return N; }
    constexpr TL_INLINE_MEMBER T *data() { return tl_items; }
    constexpr TL_INLINE_MEMBER const T *data() const { return tl_items; }
    constexpr TL_INLINE_MEMBER T *begin() { return tl_items; }
    constexpr TL_INLINE_MEMBER T *end() { return tl_items + N; }
    constexpr TL_INLINE_MEMBER const T *begin() const { return tl_items; }
    constexpr TL_INLINE_MEMBER const T *end() const { return tl_items + N; }
    constexpr TL_INLINE_MEMBER void fill(const T &v) { for (size_t i = 0; i < N; ++i) tl_items[i] = v; }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <bool, class A, class> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool which, class A, class B> using conditional_t = typename conditional<which, A, B>::type;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool which, class T = void> using enable_if_t = typename enable_if<which, T>::type;

template <class T> struct numeric_limits {
    static constexpr bool is_signed = T(-1) < T(0);
    static constexpr int digits = sizeof(T) * 8 - is_signed;
    static constexpr T max() { return (T)(~0ull >> (64 - digits)); }
    static constexpr T min() { return (T)(is_signed ? -max() - 1 : 0); }
    static constexpr T lowest() { return min(); }
};
#define TL_LIMITS(T, M, inf, nan)                                                                 \
    template <> struct numeric_limits<T> {                                                        \
        static constexpr bool is_signed = true;                                                   \
        static constexpr int digits = __##M##_MANT_DIG__;                                         \
        static constexpr T max() { return __##M##_MAX__; }                                        \
        static constexpr T min() { return __##M##_MIN__; }                                        \
        static constexpr T lowest() { return -__##M##_MAX__; }                                    \
        static constexpr T epsilon() { return __##M##_EPSILON__; }                                \
        static constexpr T infinity() { return inf; }                                             \
        static constexpr T quiet_NaN() { return nan; }                                            \
    };
TL_LIMITS(float, FLT, __builtin_inff(), __builtin_nanf(""))
TL_LIMITS(double, DBL, __builtin_inf(), __builtin_nan(""))
#undef TL_LIMITS

}  // namespace std
