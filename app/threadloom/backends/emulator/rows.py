# SPDX-License-Identifier: MIT
"""Every access of the block that was kept, as arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

import numpy as np

from threadloom.backends.emulator.element_types import ELEMENT_TYPES
from threadloom.backends.emulator.interface import ROW
from threadloom.backends.emulator.launching import Call
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.trace import BlockTrace

_NO_VALUE = 0x100
_SIZES = np.array([1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 4, 8, 2, 0, 16, 4], np.uint8)
_ALIGNMENT = 256


def block_trace(
    call: Call,
    variable_names: Sequence[str],
    variable_types: Sequence[str],
    block: Dim3,
    site_numbers: Mapping[tuple[int, int], int],
) -> BlockTrace:
    """Rows of one block by step, then by thread."""
    names = (*call.packed.arrays, *variable_names)
    rows = _rows(call)
    rows = rows[np.lexsort((rows["thread"], rows["step"]))]
    kind = rows["kind"] & 0xFF
    known = rows["array"] < len(names)
    array = np.where(known, rows["array"].astype(np.int32), np.int32(-1))
    shared = (array >= len(call.packed.arrays)).astype(np.int64)
    size = _SIZES[np.minimum(kind, 15)]
    starts = np.append(_starts(call, len(variable_names)), 0)
    return BlockTrace(
        block=block,
        thread=rows["thread"].astype(np.int32),
        step=rows["step"].astype(np.int32),
        site=_sites(rows["pc"], shared, site_numbers),
        element=rows["element"].astype(np.int64),
        address=starts[array] + rows["offset"],
        size=size,
        value=_values(call, rows, array, size, variable_types),
        array=array,
        arrays=names,
    )


def _rows(call: Call) -> Array:
    count = call.request.row_count
    raw = ctypes.string_at(call.request.rows, count * np.dtype(ROW).itemsize) if count else b""
    return np.frombuffer(raw, ROW)


def _starts(call: Call, variables: int) -> Array:
    """Address at which each array is said to start: in order, at multiples of 256."""
    sizes = [array.nbytes for array in call.packed.arrays.values()]
    sizes += [int(v.bytes) for v in call.request.variables[:variables]] if variables else []
    starts, at = [], 0
    for size in sizes:
        starts.append(at)
        at += -(-max(size, 1) // _ALIGNMENT) * _ALIGNMENT
    return np.array(starts, np.uint64)


def _sites(pc: Array, shared: Array, numbers: Mapping[tuple[int, int], int]) -> Array:
    found = np.full(pc.size, -1, np.int32)
    for (address, space), number in numbers.items():
        found[(pc == address) & (shared == space)] = number
    return found


def _values(
    call: Call, rows: Array, array: Array, size: Array, variable_types: Sequence[str]
) -> Array:
    values = np.full(rows.size, np.nan)
    raw = np.ascontiguousarray(rows["value"])
    types = [a.dtype for a in call.packed.arrays.values()]
    types += [np.dtype(ELEMENT_TYPES.get(name, "f4")) for name in variable_types]
    for number, dtype in enumerate(types):
        if dtype.kind not in "fiub":
            continue
        mine = (array == number) & (size >= dtype.itemsize) & ((rows["kind"] & _NO_VALUE) == 0)
        parts = raw[mine].view(np.uint8).reshape(-1, 8)[:, : dtype.itemsize]
        values[mine] = np.ascontiguousarray(parts).view(dtype).ravel().astype(np.float64)
    return values
