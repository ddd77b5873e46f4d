# SPDX-License-Identifier: MIT
"""Lets the compiler take an index for what it is: a number that does not overflow.

Arithmetic on ``int`` wraps here, as it does on a GPU. For an index that costs a widening to 64 bits
at each access: in ``a[y * n + k]`` the compiler may not keep a pointer that moves on with ``k``. An
index that overflows names no element of any array, and CUDA C++ leaves it undefined; so what is
computed within the brackets alone, and used for nothing else, is marked as not wrapping.
"""

from __future__ import annotations

import re
from collections import Counter

_VALUE = re.compile(r"^  (?P<name>%[\w.]+) = (?P<what>\w+) (?P<rest>.*)$")
_NAME = re.compile(r"%[\w.]+")
_INDEX = re.compile(r"\bi64 (%[\w.]+)")
_ARITHMETIC = frozenset(("add", "sub", "mul", "shl"))
_INT = "i32 "


def without_overflow(code: str) -> str:
    """The compiler's intermediate code, before it is optimized, with index arithmetic marked."""
    lines = code.splitlines()
    expression = _Expressions()
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line.startswith("define "):
            expression = _Expressions()
        elif (match := _VALUE.match(line)) is None:
            expression.uses.update(_NAME.findall(line))
        elif expression.is_of_index(match["name"], match["what"], match["rest"]):
            lines[number] = f"  {match['name']} = {match['what']} nsw {match['rest']}"
    return "\n".join(lines) + "\n"


class _Expressions:
    """What is known of a function's values when its code is read from the end."""

    def __init__(self) -> None:
        self.uses: Counter[str] = Counter()
        self._offsets: set[str] = set()
        self._indices: set[str] = set()

    def is_of_index(self, name: str, what: str, rest: str) -> bool:
        """Whether this is arithmetic on ``int`` that only makes up an index."""
        operands = _NAME.findall(rest)
        only = self.uses[name] == 1
        self.uses.update(operands)
        if what == "getelementptr":
            self._offsets.update(_INDEX.findall(rest))
        elif what == "sext" and rest.startswith(_INT) and only and name in self._offsets:
            self._indices.update(operands)
        elif what in _ARITHMETIC and rest.startswith(_INT) and only and name in self._indices:
            self._indices.update(operands)
            return True
        return False
