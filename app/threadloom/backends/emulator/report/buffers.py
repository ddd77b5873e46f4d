# SPDX-License-Identifier: MIT
"""Arrays that the engine fills while it traces, and the shared variables by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from threadloom.backends.emulator.runtime.abi import ArrayArgument, Variable
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.array import Array
from threadloom.model.trace import Coverage

_MULTIPLE_WRITERS = 1
"""``EL_MULTIPLE_WRITERS`` of ``engine/tracer/tracer.h``."""


@dataclass(frozen=True, slots=True)
class TraceBuffers:
    """Where the engine records who wrote what, and the names of shared variables."""

    owner: Mapping[str, Array]
    writes: Mapping[str, Array]
    order: Mapping[str, Array]
    state: Mapping[str, Array]
    variables: tuple[Variable, ...]
    variable_names: tuple[str, ...]
    variable_types: tuple[str, ...]

    def coverage(self, call: Call, name: str) -> Coverage:
        """Who wrote each element of an output."""
        return Coverage(
            array=name,
            shape=np.asarray(call.outputs[name]).shape,
            owner=self.owner[name],
            writes=self.writes[name],
            order=self.order[name],
            multi_writer_mask=(self.state[name] & _MULTIPLE_WRITERS).astype(bool),
        )

    def array_name(self, call: Call, number: int, shared: bool) -> str:
        """Name of an array or shared variable by its number; empty if unknown."""
        names = self.variable_names if shared else tuple(call.packed.arrays)
        return names[number] if number < len(names) else ""

    @classmethod
    def of(cls, call: Call, undefined: tuple[str, ...]) -> TraceBuffers:
        """Fresh arrays for every array that the kernel may write, or that has no values yet."""
        owner: dict[str, Array] = {}
        writes: dict[str, Array] = {}
        order: dict[str, Array] = {}
        state: dict[str, Array] = {}
        for argument, (name, array) in zip(call.arrays, call.packed.arrays.items(), strict=False):
            if not call.packed.writable[name] and name not in undefined:
                continue
            owner[name], writes[name], order[name], state[name] = _tables(array.size)
            _point(argument, owner[name], writes[name], order[name], state[name])
            argument.undefined = int(name in undefined)
        return cls(owner, writes, order, state, *_shared_variables(call))


def _tables(elements: int) -> tuple[Array, Array, Array, Array]:
    """Owner, writes, order and state by element, before any write.

    They lie in one piece, for which the system has larger pages than for several small ones.
    """
    types = (np.dtype(np.int64), np.dtype(np.uint32), np.dtype(np.uint32), np.dtype(np.uint8))
    piece = np.zeros(elements * sum(dtype.itemsize for dtype in types), np.uint8)
    tables, start = [], 0
    for dtype in types:
        end = start + elements * dtype.itemsize
        tables.append(piece[start:end].view(dtype))
        start = end
    owner, writes, order, state = tables
    owner.fill(-1)
    return owner, writes, order, state


def _point(
    argument: ArrayArgument, owner: Array, writes: Array, order: Array, state: Array
) -> None:
    argument.traced = 1
    argument.owner = owner.ctypes.data
    argument.writes = writes.ctypes.data
    argument.order = order.ctypes.data
    argument.state = state.ctypes.data


def _shared_variables(
    call: Call,
) -> tuple[tuple[Variable, ...], tuple[str, ...], tuple[str, ...]]:
    """Static variables by offset, then the dynamic memory under its first name."""
    by_number = {d.number: d for d in call.kernel.parsed.shared}
    used = {d.number for d in call.kernel.parsed.shared_of(call.kernel.entry)}
    variables, names, types = [], [], []
    for symbol in call.binary.shared:
        if symbol.number in used:
            variables.append(Variable(symbol.offset, symbol.bytes, max(symbol.item, 1), 0))
            names.append(by_number[symbol.number].name)
            types.append(by_number[symbol.number].type)
    for number in sorted(used):
        if by_number[number].dynamic:
            start = -(-call.binary.shared_bytes // 16) * 16
            item = max(call.binary.dynamic_items.get(number, 4), 1)
            variables.append(Variable(start, call.launch.shared_bytes, item, 0))
            names.append(by_number[number].name)
            types.append(by_number[number].type)
            break
    return tuple(variables), tuple(names), tuple(types)
