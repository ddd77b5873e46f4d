# SPDX-License-Identifier: MIT
"""Inputs and references, kept between requests so that only a changed problem is made anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np

from threadloom.model.array import Array, Values
from threadloom.model.operation import Operation, Role
from threadloom.services.run.resolve import Resolved
from threadloom_kernels import make_arguments

MOST_BYTES = 1 << 30
"""Bytes of arrays that are kept at most, beside those of the problem in hand."""


@dataclass(slots=True, eq=False)
class Problem:
    """Arguments of one problem; the reference is computed when it is asked for."""

    key: Hashable
    """Same for the same problem."""
    values: Values
    """Arrays and sizes by argument, in the operation's order; never changed."""
    inputs: Mapping[str, Array]
    """Those that NumPy starts from."""
    _compute: Callable[[], Mapping[str, Array]]
    returned: frozenset[str] = frozenset()
    """Arrays that the caller has back after the launch."""
    undefined: frozenset[str] = frozenset()
    """Arrays without values until the kernel writes them."""
    tolerances: Mapping[str, float] = field(default_factory=dict)
    """Error allowed by array, as a share of the reference's largest value."""
    _reference: Mapping[str, Array] = field(default_factory=dict)

    @property
    def reference(self) -> Mapping[str, Array]:
        """NumPy's outputs by argument."""
        if not self._reference:
            self._reference = self._compute()
        return self._reference

    @property
    def bytes(self) -> int:
        """Memory of all arrays so far, in bytes."""
        arrays = [v for v in self.values.values() if isinstance(v, np.ndarray)]
        return sum(array.nbytes for array in (*arrays, *self._reference.values()))


class PreparedProblems:
    """The problems used last."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, Problem] = OrderedDict()

    def get(self, resolved: Resolved) -> Problem:
        """The problem of a job, made if it is not here."""
        key = _key(resolved)
        if key not in self._kept:
            self._make_room()
            self._kept[key] = make_problem(resolved)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _make_room(self) -> None:
        while self._kept and sum(p.bytes for p in self._kept.values()) > self._most_bytes:
            self._kept.popitem(last=False)


def _key(resolved: Resolved) -> Hashable:
    """The reference function stands for the operation: an edited one of the user's is another."""
    operation, sizes = resolved.operation, tuple(resolved.sizes.items())
    return operation.name, operation.reference, sizes, resolved.dtype, resolved.job.seed


def make_problem(resolved: Resolved) -> Problem:
    """Make all arguments; nothing is kept."""
    operation, sizes = resolved.operation, resolved.sizes
    values = make_arguments(operation, sizes, resolved.dtype, resolved.job.seed)
    inputs = {
        argument.name: value
        for argument in operation.arguments
        if argument.role in {Role.IN, Role.INOUT}
        and isinstance(value := values[argument.name], np.ndarray)
    }
    tolerance = operation.tolerance(sizes, np.dtype(resolved.dtype))
    return Problem(
        _key(resolved),
        values,
        inputs,
        lambda: operation.reference(inputs, sizes),
        returned=_named(operation, Role.OUT, Role.INOUT),
        undefined=_named(operation, Role.OUT),
        tolerances=dict.fromkeys(operation.outputs, tolerance),
    )


def _named(operation: Operation, *roles: Role) -> frozenset[str]:
    return frozenset(a.name for a in operation.arguments if a.role in roles)
