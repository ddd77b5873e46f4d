# SPDX-License-Identifier: MIT
"""The request to check a case, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.array import Array
from threadloom.model.case import Case
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.run import Run
from threadloom.model.trace import Trace
from threadloom.services.doctor.diagnose import verdict


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Check one case against the limits of a device of the table."""

    case: Case
    device: DeviceModel
    kernel_limit_s: float = 0.0
    """After so many seconds a launch is stopped, and the line where it spins is named; 0 for never.
    """


@dataclass(frozen=True, slots=True, eq=False)
class CheckResult:
    """What there is to say of a case."""

    case: Case
    run: Run
    launch: Launch | None
    """None if the extents are no launch."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Worst first."""
        return self.run.findings

    @property
    def trace(self) -> Trace | None:
        """None if nothing was launched."""
        return self.run.trace

    @property
    def outputs(self) -> Mapping[str, Array]:
        """By argument name, as the caller would see them."""
        return self.run.outputs

    @property
    def verdict(self) -> str:
        """The first thing to say, such as ``out-of-bounds``."""
        return verdict(self.run.findings)
