# SPDX-License-Identifier: MIT
"""Small rewrites of a kernel's LLVM IR: hidden reads, yields of spinning threads, nsw indices."""

from __future__ import annotations

import re
from collections import Counter

_HIDDEN = re.compile(
    r"^(?P<before>\s*%[\w.]+ = )(?:tail )?call (?:noundef )?(?P<type>i32|i64|ptr) "
    r'asm "(?:mov[lq]|ldr) [^"]*", "[^"]*"\((?P<pointer>.*?)\)'
    r"(?: #\d+)?(?P<after>, !dbg !\d+)?(?:, !|$)"
)
_POINTER = re.compile(r"%[\w.]+$|@[\w.]+$|getelementptr\b.*$")


def with_visible_reads(line: str) -> str:
    """A line of IR; where it reads the engine's state in inline assembly, a load.

    A kernel reads ``threadIdx`` and its like from the engine's state. So that these reads get no
    probes, they are hidden in assembly, which the compiler can neither merge nor remove. After
    instrumentation they need not be hidden any longer.
    """
    if ' asm "' not in line or (hidden := _HIDDEN.match(line)) is None:
        return line
    pointer = _POINTER.search(hidden["pointer"])
    if pointer is None:
        return line
    return f"{hidden['before']}load {hidden['type']}, ptr {pointer[0]}{hidden['after'] or ''}"


_SPIN_READ = re.compile(
    r"^\s*(?:%\S+ = )?(?:load (?:atomic )?volatile|load atomic|atomicrmw|cmpxchg)\b.*?"
    r"(?P<debug>, !dbg !\d+)?(?:, !\S+ !\d+)*$"
)


def with_spin_yields(code: str) -> str:
    """IR with a yield before each volatile or atomic read: a thread that spins lets others run."""
    result: list[str] = []
    for line in code.splitlines():
        if (read := _SPIN_READ.match(line)) is not None:
            result.append(f"  call void @tl_spin_yield(){read['debug'] or ''}")
        result.append(line)
    return "\n".join((*result, "declare void @tl_spin_yield()")) + "\n"


_VALUE = re.compile(r"^  (?P<name>%[\w.]+) = (?P<what>\w+) (?P<rest>.*)$")
_NAME = re.compile(r"%[\w.]+")
_INDEX = re.compile(r"\bi64 (%[\w.]+)")
_ARITHMETIC = frozenset(("add", "sub", "mul", "shl"))
_INT = "i32 "


def with_nsw_indices(code: str) -> str:
    """Unoptimized LLVM IR with ``nsw`` on the arithmetic of indices.

    Arithmetic on ``int`` wraps here, as it does on a GPU. For an index that costs a widening to 64
    bits at each access: in ``a[y * n + k]`` the compiler may not keep a pointer that moves on with
    ``k``. An index that overflows is an element of no array, and CUDA C++ leaves it undefined; so
    arithmetic within the brackets alone, whose result is used for nothing else, is ``nsw``.
    """
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
