# SPDX-License-Identifier: MIT
"""What findings are drawn from: a run, and what is known of its launch beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from threadloom.model.array import Sizes, Values
from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Role, Variant
from threadloom.model.run import Run
from threadloom.model.severity import Severity


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What no record holds: objects of this process, and what a case expects."""

    operation: Operation | None = None
    """Of the run's job; None for a kernel that is checked by itself. Looking it up by its name
    would run the code of a user's folder again."""
    arguments: Values = field(default_factory=dict)
    """What is passed, by parameter name."""
    expected_outputs: tuple[str, ...] = ()
    """Arrays that are to be written wholly, for a kernel without an operation."""
    not_returned: tuple[str, ...] = ()
    """Arrays that the kernel writes and that are not copied back, if no other one is."""
    harmless_layouts: tuple[str, ...] = ()
    """Arrays in Fortran order that were seen to do no harm."""


NOTHING_ELSE = Known()


@dataclass(frozen=True, eq=False)
class DiagnosticContext:
    """A run with what follows from it for findings; it holds no facts of its own."""

    run: Run
    known: Known = NOTHING_ELSE

    @cached_property
    def variant(self) -> Variant | None:
        """The variant that the job names; None for a kernel that is checked by itself."""
        operation, name = self.known.operation, self.run.job.variant
        return operation.variant(name) if operation is not None and name else None

    @property
    def sizes(self) -> Sizes:
        """Extent of every axis."""
        return self.run.job.sizes

    @property
    def compiled(self) -> bool:
        """Whether nothing says that the source did not compile."""
        return self.run.compilation is None or self.run.compilation.succeeded

    @property
    def edited(self) -> bool:
        """Whether the source is the user's own rather than the variant's."""
        return self.variant is None or self.run.job.source is not None

    @property
    def advice(self) -> Severity:
        """Severity of what makes a right kernel slow: a kernel that is only checked is right."""
        return Severity.WARNING if self.known.operation is not None else Severity.NOTE

    @property
    def most_shared(self) -> int:
        """Shared memory that a block may have, in bytes.

        Operations are launched by our engines, which set the function's attribute; a kernel that
        is checked by itself is launched by code that does not, as far as is known.
        """
        device = self.run.device
        if self.known.operation is None:
            return device.shared_per_block
        return device.shared_per_block_optin

    @property
    def item_bytes(self) -> int:
        """Bytes of one element of the job's type."""
        return int(np.dtype(self.run.job.dtype).itemsize)

    @property
    def displayed_shape(self) -> tuple[int, ...] | None:
        """Shape of the array that the mapping follows, in C order."""
        if self.known.operation is None or self.variant is None:
            return None
        for argument in self.known.operation.arguments:
            if argument.name == self.variant.follows:
                return argument.extents(self.sizes)
        return None

    @property
    def elements(self) -> int | None:
        """Elements of the array that the mapping follows."""
        shape = self.displayed_shape
        return None if shape is None else int(np.prod(shape, dtype=object))

    @property
    def outputs(self) -> tuple[str, ...]:
        """Arrays that the kernel is meant to write wholly."""
        if self.known.operation is None:
            return self.known.expected_outputs
        return tuple(a.name for a in self.known.operation.arguments if a.role is Role.OUT)

    @property
    def ruled_variant(self) -> Variant | None:
        """The variant if its launch rule can be trusted for the source in hand.

        An edited kernel is taken to index as before, but not to be held to one block still.
        """
        if self.variant is None or (self.edited and self.variant.max_elements is not None):
            return None
        return self.variant

    @property
    def ruled_grid(self) -> Dim3 | None:
        """Grid that the variant's rule gives for this block."""
        variant, block = self.ruled_variant, self.run.launch.block
        if variant is None or min(block) < 1:
            return None
        return variant.rule.grid(self.sizes, block)
