# SPDX-License-Identifier: MIT
"""Device globals, laid out behind the arrays of a launch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from threadloom.backends.emulator.compile.binary import Binary, GlobalSymbol
from threadloom.backends.emulator.runtime.arguments import Packed
from threadloom.backends.emulator.runtime.element_types import ELEMENT_TYPES
from threadloom.backends.source import ParsedSource
from threadloom.model.array import Array


def with_device_globals(packed: Packed, parsed: ParsedSource, binary: Binary) -> Packed:
    """The arguments, and behind them what ``__device__`` and ``__constant__`` declare.

    Every launch starts from the values in the source, not from those of the launch before.
    """
    by_number = {variable.number: variable for variable in parsed.globals}
    arrays, writable, slots = dict(packed.arrays), dict(packed.writable), {}
    constants = set()
    for symbol in binary.globals:
        variable = by_number[symbol.number]
        name = variable.name if variable.name not in arrays else f"::{variable.name}"
        arrays[name] = _values(symbol, variable.type)
        writable[name] = not (variable.constant or variable.const)
        slots[name] = symbol.slot
        if variable.constant:
            constants.add(name)
    return replace(
        packed, arrays=arrays, writable=writable, slots=slots, constants=frozenset(constants)
    )


def _values(symbol: GlobalSymbol, kind: str) -> Array:
    dtype = np.dtype(ELEMENT_TYPES.get(kind, "V1"))
    if dtype.itemsize != symbol.item:
        dtype = np.dtype((np.void, symbol.item))  # a structure, or a pointer
    if not symbol.values:
        return np.zeros(symbol.bytes // symbol.item, dtype)
    return np.frombuffer(symbol.values, dtype)
