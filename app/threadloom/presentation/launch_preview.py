# SPDX-License-Identifier: MIT
"""What is known of a launch before it runs: computed at once in the window, without the worker."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Occupancy
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Resources, Signature
from threadloom.services.storage.workspace import Workspace


@dataclass(frozen=True, slots=True, eq=False)
class LaunchPreview:
    """A chosen launch held against a device. It follows the choices within a frame."""

    workspace: Workspace
    operation: Operation
    variant: Variant
    device: DeviceModel
    launch: Launch
    """With the grid that the variant's rule gives, if the grid follows the size."""
    source: str = ""
    """Text that would be compiled."""
    signature: Signature | None = None
    """Of the source as it stands; None if it holds no kernel."""
    resources: Resources | None = None
    """Of the last compilation of the same source; None before the first one."""
    occupancy: Occupancy | None = None
    guarded: bool | None = None
    """Whether the last run of the same kernel kept to its arrays; None if none has told."""
    findings: tuple[Finding, ...] = ()
    """What can be said without running: limits, coverage of the launch rule."""

    @property
    def refused(self) -> bool:
        """Whether the device would not take the launch."""
        return any(finding.stops_launch for finding in self.findings)

    @property
    def elements(self) -> int:
        """Elements of the array that the picture follows."""
        shape = self.shape
        total = 1
        for extent in shape:
            total *= extent
        return total

    @property
    def work_items(self) -> int:
        """Elements to share out among the threads: of the output, or of a sum's input.

        The launch rule tells of an input that is larger than the output: it asks for a thread for
        each of its elements.
        """
        sizes = self.workspace.sizes
        if min(sizes.values(), default=0) < 1:
            return self.elements
        return max(self.elements, self.variant.rule.grid(sizes, Dim3()).count)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that the picture follows."""
        for argument in self.operation.arguments:
            if argument.name == self.variant.follows:
                return argument.extents(self.workspace.sizes)
        return ()
