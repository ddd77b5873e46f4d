# SPDX-License-Identifier: MIT
"""The part of a source text that is for the device, for a compiler that sees nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from threadloom.backends.source import ParsedSource, device_libraries
from threadloom.backends.source.syntax import LAMBDA

SOURCE_NAME = "kernel.cu"
"""Name under which the compiler sees the text."""

_INCLUDE = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*include\w*\b[^\n]*", re.M)
_EMBED = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:import|embed)\b[^\n]*", re.M)
_OF_DEVICE = re.compile(
    rb"#[ \t]*include[ \t]*<(?:cuda_(?:fp16|bf16|fp8|fp6|fp4)\.h|math_constants\.h|mma\.h"
    rb"|cuda_pipeline(?:_primitives)?\.h|cuComplex\.h"
    rb"|cooperative_groups\.h|cooperative_groups/[\w./]+|cuda/[\w./]+)>"
)
_NAMES_OF_DEVICE = re.compile(rb"using\s+namespace\s+(?:nvcuda|cooperative_groups)\b")
_UP = re.compile(rb"\.\.")


def device_text(parsed: ParsedSource) -> str:
    """The source with all host code blanked; lines and columns stay.

    Of what it includes only CUDA's own headers for device code are left: a source from elsewhere
    has no file of this machine read. The C library's names come with `standard_names`.
    """
    source = bytearray(parsed.source)
    for code in parsed.host:
        if not _wanted(parsed.source[code.start_byte : code.end_byte]):
            _blank(source, code.start_byte, code.end_byte)
    for found in LAMBDA.finditer(bytes(source)):  # NVRTC does not take them: all is device code
        _blank(source, *found.span())
    for pattern in (_INCLUDE, _EMBED):
        for found in pattern.finditer(parsed.source):
            if not _wanted(found.group()):
                _blank(source, *found.span())
    return source.decode(errors="replace")


def has_unread(parsed: ParsedSource) -> bool:
    """Whether a library for the device is left out, so that its names are not known."""
    names = (f"#include <{name}>".encode() for name, _line in device_libraries(parsed))
    return not all(_wanted(name) for name in names)


def _wanted(words: bytes) -> bool:
    if _NAMES_OF_DEVICE.match(words.lstrip()) is not None:
        return True
    return _OF_DEVICE.match(words.lstrip()) is not None and _UP.search(words) is None


def _blank(source: bytearray, start: int, end: int) -> None:
    source[start:end] = re.sub(rb"[^\n]", b" ", bytes(source[start:end]))


def standard_names() -> str:
    """What the C library's headers name and kernels use, for NVRTC, which has no such headers.

    Values are those of ISO C for the types that CUDA has on every system: a 32-bit ``int``,
    IEEE 754 ``float`` and ``double``.
    """
    macros = "".join(f"#ifndef {n}\n#define {n} {v}\n#endif\n" for n, v in _MACROS.items())
    types = "".join(f"typedef {old} {new};\n" for new, old in _TYPES.items())
    names = _standard_functions(t for t in _TYPES if t.endswith("_t"))
    return macros + types + names + _of_whole_numbers()


def _standard_functions(types: Iterable[str]) -> str:
    """``std::sqrt`` and the like: nvcc has them for the device without any header."""
    names = " ".join(f"using ::{name};" for name in (*_FUNCTIONS.split(), *types))
    return f"namespace std {{ {names} }}\n"


_FUNCTIONS = """
abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
fdim floor fma fmax fmin fmod frexp hypot ilogb isfinite isinf isnan ldexp lgamma llrint llround log
log10 log1p log2 logb lrint lround modf nearbyint nextafter pow remainder remquo rint round scalbn
signbit sin sinh sqrt tan tanh tgamma trunc
"""


def _of_whole_numbers() -> str:
    """``sqrt(2)`` and its like: a whole number counts as a double (ISO C++, header cmath)."""
    kinds = "".join(
        f"template <> struct {_WHOLE}<{t}> {{ typedef double type; }};\n" for t in _INTEGERS
    )
    head = f"template <class> struct {_WHOLE} {{}};\n{kinds}"
    one = (
        "template <class T> inline __device__ typename {w}<T>::type {f}(T a)"
        " {{ return {f}((double)a); }}\n"
    )
    two = (
        "template <class T, class U> inline __device__ typename {w}<T>::type {f}(T a, U b)"
        " {{ return {f}((double)a, (double)b); }}\n"
    )
    functions = [one.format(w=_WHOLE, f=name) for name in _OF_ONE]
    functions += [two.format(w=_WHOLE, f=name) for name in _OF_TWO]
    return head + "".join(functions)


_WHOLE = "threadloom_whole_number"
_INTEGERS = (
    *("bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int"),
    *("unsigned int", "long", "unsigned long", "long long", "unsigned long long"),
)
_OF_ONE = (
    *("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc"),
    *("tgamma", "lgamma", "floor", "ceil", "trunc", "round", "rint", "fabs"),
)
_OF_TWO = ("pow", "atan2", "fmod", "hypot", "fmax", "fmin")


_TYPES = {
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long long",
    "intptr_t": "long long",
    "uintptr_t": "unsigned long long",
    "uint": "unsigned int",
    "ushort": "unsigned short",
    "ulong": "unsigned long",
}
_MACROS = {
    "HUGE_VAL": "(1e300 * 1e300)",
    "HUGE_VALF": "((float)HUGE_VAL)",
    "INFINITY": "HUGE_VALF",
    "NAN": "(INFINITY * 0.0f)",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_E": "2.7182818284590452354",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "FLT_MAX": "3.40282346638528859812e+38F",
    "FLT_MIN": "1.17549435082228750797e-38F",
    "FLT_EPSILON": "1.19209289550781250000e-7F",
    "FLT_DIG": "6",
    "FLT_MANT_DIG": "24",
    "DBL_MAX": "1.79769313486231570815e+308",
    "DBL_MIN": "2.22507385850720138309e-308",
    "DBL_EPSILON": "2.22044604925031308085e-16",
    "DBL_DIG": "15",
    "DBL_MANT_DIG": "53",
    "CHAR_BIT": "8",
    "SCHAR_MIN": "(-128)",
    "SCHAR_MAX": "127",
    "UCHAR_MAX": "255",
    "SHRT_MIN": "(-32768)",
    "SHRT_MAX": "32767",
    "USHRT_MAX": "65535",
    "INT_MIN": "(-2147483647 - 1)",
    "INT_MAX": "2147483647",
    "UINT_MAX": "4294967295U",
    "LLONG_MIN": "(-9223372036854775807LL - 1)",
    "LLONG_MAX": "9223372036854775807LL",
    "ULLONG_MAX": "18446744073709551615ULL",
    "INT8_MIN": "(-128)",
    "INT8_MAX": "127",
    "UINT8_MAX": "255",
    "INT16_MIN": "(-32768)",
    "INT16_MAX": "32767",
    "UINT16_MAX": "65535",
    "INT32_MIN": "(-2147483647 - 1)",
    "INT32_MAX": "2147483647",
    "UINT32_MAX": "4294967295U",
    "INT64_MIN": "(-9223372036854775807LL - 1)",
    "INT64_MAX": "9223372036854775807LL",
    "UINT64_MAX": "18446744073709551615ULL",
    "SIZE_MAX": "18446744073709551615ULL",
    "NULL": "0",
}
