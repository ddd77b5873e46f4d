# SPDX-License-Identifier: MIT
"""What is known of one launch, before or after it ran."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from threadloom.model.array import Sizes, Values
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message
from threadloom.model.occupancy import Occupancy
from threadloom.model.operation import Operation, Role, Variant
from threadloom.model.program import Diagnostic, Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.severity import Severity
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.samples import Timing
from threadloom.model.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Everything that a finding may be drawn from; what is not known yet keeps its default.

    ``operation`` and ``variant`` are None for a kernel that is checked by itself.
    """

    device: DeviceModel
    """Limits that the launch is held against."""
    launch: Launch
    engine: Engine = Engine.EMULATOR
    job: Job | None = None
    operation: Operation | None = None
    variant: Variant | None = None
    sizes: Sizes = field(default_factory=dict)
    source: str = ""
    """The text that was, or was to be, compiled."""
    signature: Signature | None = None
    resources: Resources | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    """Of the compiler; one that is an error says that nothing was compiled."""
    compile_log: str = ""
    """The log of a compilation that failed without a diagnostic."""
    arguments: Values = field(default_factory=dict)
    """What is passed, by parameter name, where it is known."""
    comparisons: tuple[Comparison, ...] = ()
    trace: Trace | None = None
    occupancy: Occupancy | None = None
    timeline: BlockTimeline | None = None
    timings: tuple[Timing, ...] = ()
    to_write: tuple[str, ...] = ()
    """Arrays that are to be written wholly, for a kernel without an operation."""
    not_returned: tuple[str, ...] = ()
    """Arrays that the kernel writes and that are not copied back, if no other one is."""
    as_they_lie: tuple[str, ...] = ()
    """Arrays in Fortran's order that were seen to do no harm."""
    failure: Message = NOTHING
    """Words of the engine or the worker if the kernel died, was refused or was stopped."""

    @property
    def compiled(self) -> bool:
        """Whether nothing says that the source did not compile."""
        return not self.compile_log and all(d.severity != "error" for d in self.diagnostics)

    @property
    def edited(self) -> bool:
        """Whether the source is the user's own rather than the variant's."""
        return self.variant is None or (self.job is not None and self.job.source is not None)

    @property
    def advice(self) -> Severity:
        """Severity of what makes a right kernel slow: a kernel that is only checked is right."""
        return Severity.WARNING if self.operation is not None else Severity.NOTE

    @property
    def most_shared(self) -> int:
        """Shared memory that a block may have, in bytes.

        Operations are launched by our engines, which set the function's attribute; a kernel that
        is checked by itself is launched by code that does not, as far as is known.
        """
        if self.operation is None:
            return self.device.shared_per_block
        return self.device.shared_per_block_optin

    @property
    def item_bytes(self) -> int:
        """Bytes of one element of the job's type."""
        return int(np.dtype(self.job.dtype if self.job else "float32").itemsize)

    @property
    def followed_shape(self) -> tuple[int, ...] | None:
        """Shape of the array that the picture follows, in C order."""
        if self.operation is None or self.variant is None:
            return None
        for argument in self.operation.arguments:
            if argument.name == self.variant.follows:
                return argument.extents(self.sizes)
        return None

    @property
    def elements(self) -> int | None:
        """Elements of the array that the picture follows."""
        shape = self.followed_shape
        return None if shape is None else int(np.prod(shape, dtype=object))

    @property
    def outputs(self) -> tuple[str, ...]:
        """Arrays that the kernel is meant to write wholly."""
        if self.operation is None:
            return self.to_write
        return tuple(a.name for a in self.operation.arguments if a.role is Role.OUT)

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
        variant = self.ruled_variant
        if variant is None or min(self.launch.block) < 1:
            return None
        return variant.rule.grid(self.sizes, self.launch.block)
