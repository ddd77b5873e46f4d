# SPDX-License-Identifier: MIT
"""Arguments as a launch passes them: one after another, by the types that the caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from threadloom.backends.base import LaunchError
from threadloom.model.array import Array, Values
from threadloom.model.message import _
from threadloom.model.program import Signature


@dataclass(frozen=True, slots=True)
class Packed:
    """Bytes of the arguments, and where in them each array's address belongs."""

    bytes: bytearray
    arrays: Mapping[str, Array]
    positions: Mapping[str, int]
    writable: Mapping[str, bool]
    """Whether the kernel may write the array, by its type."""
    slots: Mapping[str, int] = field(default_factory=dict)
    """Of device globals: where in the library the code finds their addresses."""
    constants: frozenset[str] = frozenset()
    """Those in constant memory."""


def pack(signature: Signature, arguments: Values) -> Packed:
    """Lay the arguments out as PyCUDA does: each at a multiple of its own size.

    A scalar of another type than the parameter's therefore shifts what follows, as it does on a
    GPU; the caller checks types before the launch.

    Raises:
        LaunchError: If there are too few or too many arguments.
    """
    parameters = signature.parameters
    if len(arguments) != len(parameters):
        raise LaunchError(
            _("Kernel {name} takes {wanted} arguments; {given} were given.").format(
                name=signature.name, wanted=len(parameters), given=len(arguments)
            )
        )
    packed = Packed(bytearray(), {}, {}, {})
    arrays, positions, writable = {}, {}, {}
    for parameter, (name, value) in zip(parameters, arguments.items(), strict=True):
        if isinstance(value, np.ndarray):
            positions[name] = _append(packed.bytes, bytes(8), 8)
            arrays[name] = _flat(value)
            writable[name] = not parameter.const
        else:
            raw = np.asarray(value).tobytes()
            _append(packed.bytes, raw, min(len(raw), 8) or 1)
    # A kernel may read past what was passed if the types differ; it finds zeros there.
    return Packed(packed.bytes + bytes(64), arrays, positions, writable)


def _append(buffer: bytearray, raw: bytes, alignment: int) -> int:
    buffer += bytes(-len(buffer) % alignment)
    position = len(buffer)
    buffer += raw
    return position


def _flat(value: Array) -> Array:
    """The array's bytes as they lie in memory: Fortran order is passed on as it is."""
    if value.flags.c_contiguous:
        return value
    if value.flags.f_contiguous:
        return value.ravel(order="K")
    return np.ascontiguousarray(value)
