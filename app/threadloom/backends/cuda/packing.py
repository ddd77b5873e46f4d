# SPDX-License-Identifier: MIT
"""From NumPy arguments to what the kernel's parameters take; what does not fit is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from threadloom.backends.base import LaunchError
from threadloom.model.array import Array, Value, Values
from threadloom.model.message import _
from threadloom.model.program import Parameter, Signature

TYPES: Mapping[str, np.dtype[np.generic]] = {
    name: np.dtype(code)
    for code, names in {
        "?": ("bool",),
        "b": ("char", "signed char", "int8_t"),
        "B": ("unsigned char", "uint8_t"),
        "h": ("short", "short int", "int16_t"),
        "H": ("unsigned short", "unsigned short int", "uint16_t"),
        "i": ("int", "signed", "signed int", "int32_t"),
        "I": ("unsigned", "unsigned int", "uint32_t", "uint"),
        "l": ("long", "long int"),
        "L": ("unsigned long", "unsigned long int", "ulong"),
        "q": ("long long", "long long int", "int64_t", "ptrdiff_t"),
        "Q": ("unsigned long long", "unsigned long long int", "uint64_t", "size_t"),
        "e": ("half", "__half"),
        "f": ("float",),
        "d": ("double",),
    }.items()
    for name in names
}
"""NumPy's type for a C type; ``long`` has the platform's size in both."""

_VECTOR = re.compile(r"^(u?)(char|short|int|long|longlong|float|double)([1234])$")
_TYPEDEF = re.compile(r"\btypedef\s+([\w\s]+?)\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*([\w\s]+?)\s*;")


def aliases(text: str) -> dict[str, str]:
    """Types that the source gives another name, as ``typedef float real;`` does."""
    found: dict[str, str] = {}
    for old, new, name, value in _TYPEDEF.findall(text):
        found[new or name] = " ".join((old or value).split())
    return found


def plain_type(name: str, known: Mapping[str, str]) -> str:
    """The type behind a name that the source gives it."""
    for _step in range(8):
        if name not in known:
            break
        name = known[name]
    return name


def element_type(name: str) -> np.dtype[np.generic] | None:
    """NumPy's type of one element of a C type; None for a structure or an unknown name."""
    if vector := _VECTOR.match(name):
        sign, base, _lanes = vector.groups()
        base = "long long" if base == "longlong" else base
        name = f"unsigned {base}" if sign else base
    return TYPES.get(name)


def check_arguments(signature: Signature, arguments: Values, text: str) -> dict[str, Value]:
    """The arguments as the kernel takes them, in its order.

    Arrays are made contiguous in C order. Scalars get the parameter's type.

    Raises:
        LaunchError: If one is missing or of another type than the parameter; nothing is converted
            that would change what the kernel sees.
    """
    known = aliases(text)
    return {p.name: _checked(p, arguments, known) for p in signature.parameters}


def _checked(parameter: Parameter, arguments: Values, known: Mapping[str, str]) -> Value:
    if parameter.name not in arguments:
        text = _("Kernel parameter {name} has no argument.")
        raise LaunchError(text.format(name=parameter.name))
    value = arguments[parameter.name]
    plain = replace(parameter, type=plain_type(parameter.type, known))
    return _array(plain, np.asarray(value)) if plain.pointer else _scalar(plain, value)


def _array(parameter: Parameter, array: Array) -> Array:
    wanted = element_type(parameter.type)
    if wanted is not None and array.dtype != wanted:
        text = _(
            "{name} points to {type}, but the array holds {dtype}. Convert it with "
            "`.astype(np.{wanted})`."
        )
        raise LaunchError(
            text.format(
                name=parameter.name, type=parameter.type, dtype=array.dtype, wanted=wanted.name
            )
        )
    return np.ascontiguousarray(array)


def _scalar(parameter: Parameter, value: Value) -> Value:
    wanted = element_type(parameter.type)
    if np.ndim(value) != 0:
        text = _("{name} is a scalar {type}, but an array was given.")
        raise LaunchError(text.format(name=parameter.name, type=parameter.type))
    number: Array = np.asarray(value)
    if wanted is None:
        return number
    if wanted.kind in "iub" and not _holds(wanted, number):
        text = _("{name} is {type}, which cannot hold {value}.")
        raise LaunchError(
            text.format(name=parameter.name, type=parameter.type, value=number.item())
        )
    return wanted.type(number)


def _holds(wanted: np.dtype[np.generic], number: Array) -> bool:
    value = number.item()
    if wanted.kind == "b":
        return value in (0, 1)
    bits = 8 * wanted.itemsize
    low, high = (0, 2**bits) if wanted.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return bool(value == int(value) and low <= value < high)
