# SPDX-License-Identifier: MIT
"""A plain C loop on one thread as a baseline, compiled at -O3 for this processor."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping

import numpy as np

from threadloom.backends.toolchain import compile_shared
from threadloom.model.array import Array, Values
from threadloom.model.message import Message, _

FLAGS = ("-O3", "-std=c11", "-fno-sanitize=undefined", "-g0")

_PARAMETERS = re.compile(r"\bvoid\s+loop\s*\(([^)]*)\)", re.DOTALL)
_SCALARS = {"i4": "int", "i8": "long long", "f4": "float", "f8": "double"}
"""C's type by NumPy's code of a scalar argument."""


class CLoop:
    """A compiled loop with its arguments; a call runs it once."""

    def __init__(
        self, library: ctypes.CDLL, values: Mapping[str, Array], written: set[str]
    ) -> None:
        self._library, self._written = library, written
        self._repeat = library.threadloom_repeat
        self._repeat.restype = None
        self.values = values
        """Arguments in the loop's order; arrays that it writes are its own."""
        self._arguments = [_as_c(value) for value in values.values()]
        self.outputs: Mapping[str, Array] = {name: values[name] for name in written}
        """Arrays that the loop writes, by argument."""

    def __call__(self) -> None:
        """Run the loop once."""
        self.repeat(1)

    def part(self, arrays: Mapping[str, Array], scalars: Mapping[str, int]) -> CLoop:
        """The same loop over other arrays, such as stretches of its own, and other extents."""
        numbers = {
            name: np.asarray(value, dtype=self.values[name].dtype)
            for name, value in scalars.items()
        }
        return CLoop(self._library, {**self.values, **arrays, **numbers}, self._written)

    def repeat(self, count: int) -> None:
        """Run the loop so many times, without going back to Python between."""
        self._repeat(ctypes.c_longlong(count), *self._arguments)


def c_loop_label() -> Message:
    """Such as ``C loop, 1 thread``."""
    return _("C loop, 1 thread")


def c_loop(source: str, arguments: Values) -> CLoop:
    """Compile a source whose function ``loop`` takes these arguments in this order.

    Arrays behind pointers that are not ``const`` are copied first, so that the arguments stay as
    they are.

    Raises:
        ToolchainError: If the source does not compile.
        EngineUnavailableError: If there is no compiler.
        ValueError: If it has no function ``loop`` with as many parameters.
    """
    parameters = _parameters(source)
    if len(parameters) != len(arguments):
        raise ValueError(f"loop has {len(parameters)} parameters for {len(arguments)} arguments")
    written = {
        name
        for name, parameter in zip(arguments, parameters, strict=True)
        if "*" in parameter and not re.search(r"\bconst\b", parameter)
    }
    values = {
        name: np.array(value, order="C") if name in written else np.ascontiguousarray(value)
        for name, value in arguments.items()
        if np.ndim(value)
    }
    ordered = {name: values.get(name, np.asarray(value)) for name, value in arguments.items()}
    sources = {"loop.c": source, "repeat.c": _repeat_source(ordered)}
    return CLoop(ctypes.CDLL(str(compile_shared(sources, FLAGS))), ordered, written)


def _parameters(source: str) -> list[str]:
    found = _PARAMETERS.search(source)
    return [part for part in found[1].split(",") if part.strip()] if found else []


def _repeat_source(values: Mapping[str, Array]) -> str:
    """A file of its own, so that the compiler cannot see that the calls do the same again."""
    types = ["void *" if value.ndim else _SCALARS[value.dtype.str[1:]] for value in values.values()]
    declared = ", ".join(types)
    named = "".join(f", {kind} a{number}" for number, kind in enumerate(types))
    passed = ", ".join(f"a{number}" for number in range(len(types)))
    return f"""\
void loop({declared});
#ifdef _WIN32
__declspec(dllexport)
#endif
void threadloom_repeat(long long count{named})
{{
    for (long long i = 0; i < count; i++)
        loop({passed});
}}
"""


def _as_c(value: Array) -> object:
    if value.ndim:
        return ctypes.c_void_p(value.ctypes.data)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())
