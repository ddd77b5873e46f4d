# SPDX-License-Identifier: MIT
"""Requests for one run, its progress and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Occupancy
from threadloom.model.program import Diagnostic, Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.breakdown import Breakdown
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.samples import (
    USUAL_BASELINES,
    SeriesKey,
    StoppingCriterion,
    Timing,
)
from threadloom.model.trace import Trace


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Compile, launch, check against NumPy; then, if asked, observe and time.

    Answered by one `RunResult`. As parts become known they are sent ahead as `RunProgress`.
    """

    job: Job
    observe: bool = True
    """Coverage, counters and faults from the emulator (also beside a run on the GPU)."""
    block: Dim3 | None = None
    """Block whose every access is kept."""
    timings: bool = True
    """Time the host baselines, and the kernel on a GPU (modeled without one)."""
    rule: StoppingCriterion = StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=0.2)
    """Six samples are the least that a median's interval can be told from."""
    baselines: tuple[SeriesKey, ...] = USUAL_BASELINES
    """Of `BASELINES`: what to time beside the kernel, as far as it is here."""
    blocks: bool = False
    """Record on a GPU when and where each block runs, also without timings."""
    breakdown: bool = False
    """Time every step of the way through a GPU, beside kernel and copies."""
    ahead: bool = False
    """Send what is known as `RunAhead` before timing that takes long; the answer then holds no
    arrays and no trace, which have been sent."""
    anyway: bool = False
    """On a GPU, launch what the device's limits refuse: for the driver's own words, no result."""
    kernel_limit_s: float = 0.0
    """An emulated kernel that runs for longer is stopped, and a thread that still runs is named
    with its line; 0 leaves that to whoever watches the process, who cannot tell."""
    nvcc_wait_s: float = 60.0
    """How long to wait for NVIDIA's compiler, where it is here, once all else is known. With less,
    a result may say that `ResourcesRequest` has more."""


@dataclass(frozen=True, slots=True)
class ResourcesRequest:
    """What NVIDIA's compiler says of the last run's kernel, for a result with ``resources_due``.

    Answered by a `RunResult` without arrays and trace; findings and modeled figures are new.
    """

    job: Job


class Stage(StrEnum):
    """Parts of a run, in their order."""

    COMPILING = "compiling"
    RUNNING = "running"
    OBSERVING = "observing"
    TIMING = "timing"


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A stage that has begun."""

    stage: Stage
    elapsed_s: float = 0.0
    engine: Engine | None = None
    """What runs it, so that this is known even if there will be no result."""
    device: DeviceModel | None = None
    """What the launch is held against."""


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """All that is known of one run. Parts that did not come about are None or empty."""

    job: Job
    launch: Launch
    engine: Engine
    device: DeviceModel
    """Device that the launch is held against."""
    signature: Signature | None = None
    source: str = ""
    """The text that was compiled."""
    resources: Resources | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    compile_s: float = 0.0
    from_cache: bool = False
    comparisons: tuple[Comparison, ...] = ()
    inputs: Mapping[str, Array] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    trace: Trace | None = None
    occupancy: Occupancy | None = None
    timeline: BlockTimeline | None = None
    """When and where each block ran, measured or modeled (it says which)."""
    timings: tuple[Timing, ...] = ()
    kernel_times: KernelTimes | None = None
    """How the kernel was timed on a GPU; None without one."""
    breakdown: Breakdown | None = None
    """Every step of the way through a GPU; None if it was not asked for, or without one."""
    findings: tuple[Finding, ...] = ()
    elapsed_s: float = 0.0
    resources_due: bool = False
    """Whether NVIDIA's compiler is still at work on the kernel."""

    @property
    def launched(self) -> bool:
        """Whether any thread ran."""
        return bool(self.outputs)

    @property
    def matches(self) -> bool | None:
        """Whether all outputs agree with NumPy; None if nothing was compared."""
        return all(c.matches for c in self.comparisons) if self.comparisons else None


@dataclass(frozen=True, slots=True, eq=False)
class RunAhead:
    """A run's result before its times are known."""

    result: RunResult
