# SPDX-License-Identifier: MIT
"""Arithmetic types of CUDA C++ on 64-bit Linux, and which one the result of an operation has."""

from __future__ import annotations

import functools
import re
from enum import Enum

BITWISE = frozenset({"%", "&", "|", "^"})
"""Operators besides the shifts that take integers only."""
SHIFTS = frozenset({"<<", ">>"})
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class CType(Enum):
    """An arithmetic type: its size in bytes, conversion rank, and whether it has a sign.

    ``long`` and ``long long`` have one size and convert alike, so that they are one here.
    """

    BOOL = (1, 0, False)
    CHAR = (1, 1, True)
    UCHAR = (1, 1, False)
    SHORT = (2, 2, True)
    USHORT = (2, 2, False)
    INT = (4, 3, True)
    UINT = (4, 3, False)
    LLONG = (8, 4, True)
    ULLONG = (8, 4, False)
    HALF = (2, 5, True)
    FLOAT = (4, 6, True)
    DOUBLE = (8, 7, True)

    def __init__(self, size: int, rank: int, signed: bool) -> None:
        self.size = size
        self.rank = rank
        self.signed = signed
        self.floating = rank >= 5
        bits = size * 8 - signed
        self.most = 1 if rank == 0 else 2**bits - 1
        """Largest value; for an integer type only."""
        self.least = -(2**bits) if signed else 0

    @property
    def promoted(self) -> CType:
        """The type after integer promotion: what is smaller than ``int`` becomes one."""
        return CType.INT if self.rank < CType.INT.rank else self


def common(left: CType, right: CType) -> CType:
    """The type that both operands are converted to (usual arithmetic conversions)."""
    left, right = left.promoted, right.promoted
    if left.rank == right.rank:
        return right if left.signed else left
    return max(left, right, key=lambda one: one.rank)


def binary_type(sign: str, left: CType, right: CType) -> CType:
    """Type of the result of an operator with two operands."""
    if sign in SHIFTS:
        return left.promoted
    return CType.BOOL if sign in COMPARISONS else common(left, right)


def unary_type(sign: str, operand: CType) -> CType:
    """Type of the result of an operator with one operand."""
    return CType.BOOL if sign == "!" else operand.promoted


FUNCTIONS = {"ceil": 1, "ceilf": 1, "floor": 1, "floorf": 1, "abs": 1, "min": 2, "max": 2}
"""Functions that are evaluated, with the number of their arguments."""


def call_type(name: str, arguments: tuple[CType, ...]) -> CType:
    """Type of the result of one of `FUNCTIONS`."""
    first = arguments[0]
    match name:
        case "ceilf" | "floorf":
            return CType.FLOAT
        case "ceil" | "floor":
            return first if first.floating else CType.DOUBLE
        case "abs":
            return first.promoted
    return common(first, arguments[1])


_NAMED = {
    "bool": CType.BOOL,
    "half": CType.HALF,
    "__half": CType.HALF,
    "float": CType.FLOAT,
    "real": CType.FLOAT,
    "double": CType.DOUBLE,
    "size_t": CType.ULLONG,
    "ptrdiff_t": CType.LLONG,
    "int8_t": CType.CHAR,
    "uint8_t": CType.UCHAR,
    "int16_t": CType.SHORT,
    "uint16_t": CType.USHORT,
    "int32_t": CType.INT,
    "uint32_t": CType.UINT,
    "int64_t": CType.LLONG,
    "uint64_t": CType.ULLONG,
}
_UNSIGNED = {
    CType.CHAR: CType.UCHAR,
    CType.SHORT: CType.USHORT,
    CType.INT: CType.UINT,
    CType.LLONG: CType.ULLONG,
}
_BASIC = {"unsigned", "signed", "char", "short", "int", "long"}
_QUALIFIERS = {"const", "volatile", "constexpr", "static"}
_VECTOR = re.compile(r"(u?)(char|short|int|long|longlong|float|double)([1-4])\Z")
_POINTER_BYTES = 8


@functools.cache
def type_named(written: str) -> CType | None:
    """The type of a name such as ``const unsigned long long``; None if it is no arithmetic one."""
    words = [word for word in written.removeprefix("std::").split() if word not in _QUALIFIERS]
    if len(words) == 1 and words[0] in _NAMED:
        return _NAMED[words[0]]
    if not words or not _BASIC.issuperset(words):
        return None
    sized = {"char": CType.CHAR, "short": CType.SHORT, "long": CType.LLONG}
    found = next((sized[word] for word in sized if word in words), CType.INT)
    return _UNSIGNED[found] if "unsigned" in words else found


def size_named(written: str) -> int | None:
    """Bytes of a type by name, also of vectors such as ``float4`` and of pointers."""
    if written.rstrip().endswith("*"):
        return _POINTER_BYTES
    found = type_named(written)
    if found is not None:
        return found.size
    vector = _VECTOR.match(written.strip())
    element = type_named(vector[2].replace("longlong", "long")) if vector else None
    return int(vector[3]) * element.size if vector and element else None
