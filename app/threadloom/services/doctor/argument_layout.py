# SPDX-License-Identifier: MIT
"""What a kernel receives when arguments are packed by their own types instead of its parameters'.

PyCUDA lays out arguments as a C structure of the types that it is given; the kernel reads one of
its own. The two agree only as long as the types do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from threadloom.model.array import Value
from threadloom.model.dim3 import ceil_div
from threadloom.model.program import Parameter, Signature
from threadloom.services.run.binding import C_TYPES

POINTER_BYTES = 8
_MORE_TYPES: Mapping[str, str] = {
    "bool": "bool",
    "half": "float16",
    "__half": "float16",
    "long": "int64",
    "unsigned long": "uint64",
    "uchar": "uint8",
    "ushort": "uint16",
    "uint": "uint32",
    "longlong": "int64",
    "ulonglong": "uint64",
    "cuComplex": "float32",
    "cuFloatComplex": "float32",
    "cuDoubleComplex": "float64",
}
"""NumPy's names of types that our own operations do not have; ``long`` as on Linux."""


def parameter_dtype(parameter: Parameter) -> np.dtype[np.generic] | None:
    """NumPy's type of a parameter, or of what it points to; None for types of the user's own.

    A vector type such as ``float4`` counts as its component.
    """
    known = {**_MORE_TYPES, **C_TYPES}
    name = known.get(parameter.type) or known.get(parameter.type.rstrip("1234"))
    return None if name is None else np.dtype(name)


def holds_pairs(parameter: Parameter) -> bool:
    """Whether an element of the type is two numbers or more, as a complex one is."""
    return parameter.type[-1:] in "234" or "Complex" in parameter.type


def offsets(sizes: Iterable[int]) -> list[int]:
    """Where members of these sizes lie in a C structure; each is aligned to its size."""
    found, end = [], 0
    for size in sizes:
        at = ceil_div(end, size) * size
        found.append(at)
        end = at + size
    return found


def received(signature: Signature, passed: Mapping[str, Value]) -> dict[str, np.generic]:
    """What each number is by the time that the kernel reads it.

    Parameters that are not passed, or whose type is not known, end the list.
    """
    known = [p for p in signature.parameters if p.name in passed]
    wanted = [None if p.pointer else parameter_dtype(p) for p in known]
    if any(w is None and not p.pointer for w, p in zip(wanted, known, strict=True)):
        return {}
    sent = offsets(POINTER_BYTES if p.pointer else passed[p.name].dtype.itemsize for p in known)
    read = offsets(POINTER_BYTES if w is None else w.itemsize for w in wanted)
    image = bytearray(POINTER_BYTES + max([*sent, *read], default=0) + POINTER_BYTES)
    for parameter, at in zip(known, sent, strict=True):
        if not parameter.pointer:
            data = passed[parameter.name].tobytes()
            image[at : at + len(data)] = data
    return {
        p.name: np.frombuffer(bytes(image), w, 1, at)[0]
        for p, w, at in zip(known, wanted, read, strict=True)
        if w is not None
    }
