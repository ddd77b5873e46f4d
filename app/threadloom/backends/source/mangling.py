# SPDX-License-Identifier: MIT
"""The name that a kernel has in its module unless it is ``extern "C"`` (Itanium C++ ABI, 5.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from threadloom.model.program import Parameter, Signature

_BUILTIN = {
    "void": "v",
    "bool": "b",
    "char": "c",
    "signed char": "a",
    "unsigned char": "h",
    "short": "s",
    "unsigned short": "t",
    "int": "i",
    "unsigned": "j",
    "unsigned int": "j",
    "long": "l",
    "unsigned long": "m",
    "long long": "x",
    "unsigned long long": "y",
    "float": "f",
    "double": "d",
    "size_t": "m",
    "int8_t": "a",
    "uint8_t": "h",
    "int16_t": "s",
    "uint16_t": "t",
    "int32_t": "i",
    "uint32_t": "j",
    "int64_t": "l",
    "uint64_t": "m",
    "half": "6__half",
    "half2": "7__half2",
}
"""Codes of the types that need no declaration, with typedefs as they are on Linux."""
_NAME = re.compile(r"[A-Za-z_]\w*")


def mangled_name(kernel: Signature) -> str | None:
    """Symbol of a kernel at file scope; None for templates and types that this cannot write."""
    if kernel.template or kernel.scope:
        return None
    codes = _Codes()
    written = [codes.parameter(parameter) for parameter in kernel.parameters]
    if None in written:
        return None
    return f"_Z{len(kernel.name)}{kernel.name}{''.join(w for w in written if w) or 'v'}"


@dataclass(slots=True)
class _Codes:
    """Types written so far: one that comes again is written as its number."""

    seen: list[str] = field(default_factory=list)

    def parameter(self, parameter: Parameter) -> str | None:
        name = parameter.type.rstrip("*")
        code = _BUILTIN.get(name) or (f"{len(name)}{name}" if _NAME.fullmatch(name) else None)
        if code is None:
            return None
        written = self._once(code) if code[0].isdigit() else code
        if not parameter.pointer:
            return written
        if parameter.const:
            code, written = f"K{code}", self._once(f"K{code}", f"K{written}")
        for _star in range(1 + len(parameter.type) - len(name)):
            code, written = f"P{code}", self._once(f"P{code}", f"P{written}")
        return written

    def _once(self, code: str, written: str | None = None) -> str:
        """What to write for a type: its number if it was there before."""
        if code in self.seen:
            number = self.seen.index(code)
            return f"S{_base36(number - 1) if number else ''}_"
        self.seen.append(code)
        return code if written is None else written


def _base36(number: int) -> str:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return digits[number] if number < 36 else _base36(number // 36) + digits[number % 36]
