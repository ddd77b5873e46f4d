# SPDX-License-Identifier: MIT
"""The access log of one block, as arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

import numpy as np

from threadloom.backends.emulator.runtime.abi import LOGGED_ACCESS
from threadloom.backends.emulator.runtime.element_types import ELEMENT_TYPES
from threadloom.backends.emulator.runtime.launch import Call
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
    """The access log of one block by step, then by thread."""
    names = (*call.packed.arrays, *variable_names)
    log = _read_log(call)
    log = log[np.lexsort((log["thread"], log["step"]))]
    kind = log["kind"] & 0xFF
    known = log["array"] < len(names)
    array = np.where(known, log["array"].astype(np.int32), np.int32(-1))
    shared = (array >= len(call.packed.arrays)).astype(np.int64)
    size = _SIZES[np.minimum(kind, 15)]
    starts = np.append(_starts(call, len(variable_names)), 0)
    return BlockTrace(
        block=block,
        thread=log["thread"].astype(np.int32),
        step=log["step"].astype(np.int32),
        site=_sites(log["pc"], shared, site_numbers),
        element=log["element"].astype(np.int64),
        address=starts[array] + log["offset"],
        size=size,
        value=_values(call, log, array, size, variable_types),
        array=array,
        arrays=names,
    )


def _read_log(call: Call) -> Array:
    size = call.request.logged_count * np.dtype(LOGGED_ACCESS).itemsize
    raw = ctypes.string_at(call.request.access_log, size) if size else b""
    return np.frombuffer(raw, LOGGED_ACCESS)


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
    call: Call, log: Array, array: Array, size: Array, variable_types: Sequence[str]
) -> Array:
    values = np.full(log.size, np.nan)
    raw = np.ascontiguousarray(log["value"])
    types = [a.dtype for a in call.packed.arrays.values()]
    types += [np.dtype(ELEMENT_TYPES.get(name, "f4")) for name in variable_types]
    for number, dtype in enumerate(types):
        if dtype.kind not in "fiub":
            continue
        mine = (array == number) & (size >= dtype.itemsize) & ((log["kind"] & _NO_VALUE) == 0)
        parts = raw[mine].view(np.uint8).reshape(-1, 8)[:, : dtype.itemsize]
        values[mine] = np.ascontiguousarray(parts).view(dtype).ravel().astype(np.float64)
    return values
