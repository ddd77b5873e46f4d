# SPDX-License-Identifier: MIT
"""Variables at file scope, laid out among the arrays that a launch is given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from threadloom.backends.emulator.arguments import Packed
from threadloom.backends.emulator.binary import Binary, GlobalPlace
from threadloom.backends.emulator.element_types import ELEMENT_TYPES
from threadloom.backends.source import ParsedSource
from threadloom.model.array import Array


def with_variables(packed: Packed, parsed: ParsedSource, binary: Binary) -> Packed:
    """The arguments, and behind them what ``__device__`` and ``__constant__`` declare.

    Every launch starts from the values in the source: nothing is left of the one before.
    """
    by_number = {variable.number: variable for variable in parsed.globals}
    arrays, writable, slots = dict(packed.arrays), dict(packed.writable), {}
    constants = set()
    for place in binary.globals:
        variable = by_number[place.number]
        name = variable.name if variable.name not in arrays else f"::{variable.name}"
        arrays[name] = _values(place, variable.type)
        writable[name] = not (variable.constant or variable.const)
        slots[name] = place.slot
        if variable.constant:
            constants.add(name)
    return replace(
        packed, arrays=arrays, writable=writable, slots=slots, constants=frozenset(constants)
    )


def _values(place: GlobalPlace, kind: str) -> Array:
    dtype = np.dtype(ELEMENT_TYPES.get(kind, "V1"))
    if dtype.itemsize != place.item:
        dtype = np.dtype((np.void, place.item))  # a structure, or a pointer
    if not place.values:
        return np.zeros(place.bytes // place.item, dtype)
    return np.frombuffer(place.values, dtype)
