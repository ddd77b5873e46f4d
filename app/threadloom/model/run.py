# SPDX-License-Identifier: MIT
"""One record of a run: what was asked for, compiled, seen and timed, and what there is to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message
from threadloom.model.occupancy import Occupancy
from threadloom.model.program import Diagnostic, Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.severity import Severity
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.breakdown import Breakdown
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.samples import Timing
from threadloom.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Target:
    """What a job comes to: a launch of a source, by an engine, within a device's limits."""

    launch: Launch
    device: DeviceModel
    """Limits that the launch is checked against."""
    engine: Engine = Engine.EMULATOR
    source: str = ""
    """The text that was, or was to be, compiled."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """What the compilers said of the kernel."""

    signature: Signature | None = None
    """None if the source did not compile."""
    resources: Resources | None = None
    occupancy: Occupancy | None = None
    """Of the launch with these resources."""
    diagnostics: tuple[Diagnostic, ...] = ()
    log: str = ""
    """Of a compilation that failed."""
    compile_s: float = 0.0
    from_cache: bool = False
    pending: bool = False
    """Whether NVIDIA's compiler is still at work on the kernel."""

    @property
    def succeeded(self) -> bool:
        """Whether nothing says that the source did not compile."""
        return not self.log and all(d.severity is not Severity.ERROR for d in self.diagnostics)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What went into the kernel, what came out, and who touched what. Arrays by argument."""

    inputs: Mapping[str, Array] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    """Empty if nothing was launched, or the launch failed."""
    comparisons: tuple[Comparison, ...] = ()
    trace: Trace | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """How long it takes; each part says whether it is measured or modeled."""

    timings: tuple[Timing, ...] = ()
    kernel_times: KernelTimes | None = None
    """How the kernel was timed on a GPU; None without one."""
    breakdown: Breakdown | None = None
    """Every step from the host's memory and back; None if not asked for, or without a GPU."""
    timeline: BlockTimeline | None = None
    """When and where each block ran."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One run, as far as it has come: a part that did not come about is None.

    A fact is a field of its part, and read through it; those that many read have a property here.
    """

    job: Job
    """What was asked for, with the variant and every size filled in."""
    target: Target
    compilation: Compilation | None = None
    observation: Observation | None = None
    measurement: Measurement | None = None
    findings: tuple[Finding, ...] = ()
    failure: Message = NOTHING
    """Words of the engine or the worker if the kernel died, was refused or was stopped."""
    elapsed_s: float = 0.0

    @property
    def launch(self) -> Launch:
        """Grid, block and dynamic shared memory."""
        return self.target.launch

    @property
    def device(self) -> DeviceModel:
        """Device that the launch is checked against."""
        return self.target.device

    @property
    def engine(self) -> Engine:
        """What runs the kernel."""
        return self.target.engine

    @property
    def source(self) -> str:
        """The text that was compiled."""
        return self.target.source

    @property
    def signature(self) -> Signature | None:
        """The kernel with its parameters; None if it did not compile."""
        return self.compilation.signature if self.compilation else None

    @property
    def resources(self) -> Resources | None:
        """What the compiled kernel uses."""
        return self.compilation.resources if self.compilation else None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors, warnings and notes of the compilers."""
        return self.compilation.diagnostics if self.compilation else ()

    @property
    def occupancy(self) -> Occupancy | None:
        """Blocks and warps that an SM holds at once; None if the kernel did not compile."""
        return self.compilation.occupancy if self.compilation else None

    @property
    def pending(self) -> bool:
        """Whether NVIDIA's compiler is still at work on the kernel."""
        return self.compilation is not None and self.compilation.pending

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Arrays that the kernel starts from."""
        return self.observation.inputs if self.observation else {}

    @property
    def outputs(self) -> Mapping[str, Array]:
        """Arrays after the launch."""
        return self.observation.outputs if self.observation else {}

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Outputs compared with NumPy's."""
        return self.observation.comparisons if self.observation else ()

    @property
    def trace(self) -> Trace | None:
        """Who touched what; None if nobody saw it."""
        return self.observation.trace if self.observation else None

    @property
    def timings(self) -> tuple[Timing, ...]:
        """One for each bar."""
        return self.measurement.timings if self.measurement else ()

    @property
    def timeline(self) -> BlockTimeline | None:
        """When and where each block ran, measured or modeled."""
        return self.measurement.timeline if self.measurement else None

    @property
    def breakdown(self) -> Breakdown | None:
        """Every step from the host's memory and back."""
        return self.measurement.breakdown if self.measurement else None

    @property
    def kernel_times(self) -> KernelTimes | None:
        """How the kernel was timed on a GPU."""
        return self.measurement.kernel_times if self.measurement else None

    @property
    def launched(self) -> bool:
        """Whether any thread ran."""
        return bool(self.outputs)

    @property
    def matches(self) -> bool | None:
        """Whether all outputs agree with NumPy; None if nothing was compared."""
        return all(c.matches for c in self.comparisons) if self.comparisons else None

    @property
    def is_refused(self) -> bool:
        """Whether a finding keeps the launch from taking place."""
        return any(finding.stops_launch for finding in self.findings)
