# SPDX-License-Identifier: MIT
"""A kernel's arguments on the GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.backends.cuda.library import Driver
from threadloom.model.array import Array, Value
from threadloom.model.program import Signature


class DeviceArguments:
    """Arrays with their place in the GPU's memory, and scalars, in the kernel's order.

    Copies go through ordinary (pageable) memory, as those of most programs do.
    """

    def __init__(self, cuda: Driver, signature: Signature, values: Mapping[str, Value]) -> None:
        self._cuda = cuda
        self._values = values
        pointers = [p for p in signature.parameters if p.pointer]
        self._inputs = {p.name: np.asarray(values[p.name]) for p in pointers}
        self.places: dict[str, Any] = {
            name: cuda.mem_alloc(max(array.nbytes, 16)) for name, array in self._inputs.items()
        }
        """Each array's memory on the GPU."""
        self.results: dict[str, Array] = {
            p.name: np.empty_like(self._inputs[p.name]) for p in pointers if not p.const
        }
        for result in self.results.values():
            result.fill(0)  # touches every page, so that a timed copy does not pay for that

    @property
    def formats(self) -> list[str]:
        """Codes of PyCUDA's prepared call, ``P`` for a pointer."""
        return ["P" if n in self.places else _code(v) for n, v in self._values.items()]

    @property
    def packed(self) -> list[Any]:
        """Values for PyCUDA's prepared call."""
        return [self.places.get(name, _bits(value)) for name, value in self._values.items()]

    def h2d(self) -> None:
        """Copy every array to the GPU, also the start values of outputs."""
        self._h2d(self._inputs)

    @property
    def all_arrays(self) -> tuple[Array, ...]:
        """Every array, in the kernel's order."""
        return tuple(self._inputs.values())

    @property
    def read(self) -> Mapping[str, Array]:
        """Arrays that the kernel only reads; all if it writes to each."""
        only_read = {n: a for n, a in self._inputs.items() if n not in self.results}
        return only_read or self._inputs

    def copy_inputs_in(self) -> None:
        """Copy those arrays to the GPU that the kernel reads."""
        self._h2d(self.read)

    def d2h(self) -> None:
        """Copy every array that the kernel may write into `results`."""
        for name, result in self.results.items():
            if result.nbytes:
                self._cuda.memcpy_dtoh(result, self.places[name])

    def _h2d(self, arrays: Mapping[str, Array]) -> None:
        for name, array in arrays.items():
            if array.nbytes:
                self._cuda.memcpy_htod(self.places[name], array)


def _code(value: Value) -> str:
    dtype = np.asarray(_bits(value)).dtype
    return f"{dtype.itemsize}s" if dtype.kind == "V" else dtype.char


def _bits(value: Value) -> Value:
    """The same bits in a type that PyCUDA's packing knows: it has no half-precision numbers."""
    scalar = np.asarray(value)
    return scalar.view(np.uint16)[()] if scalar.dtype == np.float16 else value
