# SPDX-License-Identifier: MIT
"""What can be asked of the worker, and what it answers. Plain values; they cross processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.journey import Journey
from threadloom.model.kernel_times import KernelTimes
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Occupancy
from threadloom.model.program import Diagnostic, Resources, Signature
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.samples import (
    USUAL_BASELINES,
    Samples,
    Series,
    SeriesKey,
    StopRule,
    Timing,
)
from threadloom.model.timeline import BlockTimeline
from threadloom.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Job:
    """One kernel with its problem and launch."""

    operation: str
    variant: str
    sizes: Mapping[str, int]
    """Every axis of the operation."""
    dtype: str = "float32"
    block: Dim3 | None = None
    """The variant's default if None."""
    grid: Dim3 | None = None
    """The variant's rule for the block if None."""
    shared_bytes: int | None = None
    """The variant's rule if None."""
    engine: str = "auto"
    """``auto``, ``gpu`` or ``emulator``."""
    device: int = 0
    """The driver's number of the GPU."""
    model: str = "RTX 4090"
    """Name in the device table: limits and modelled times where no GPU is used."""
    seed: int = 0
    source: str | None = None
    """Edited source; the variant's own file if None."""
    entry: str | None = None
    """Kernel of the edited source; the variant's own, else the only or first one, if None."""
    operations_folder: str | None = None
    """The user's own operations."""


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
    """Time the host baselines, and the kernel on a GPU (modelled without one)."""
    rule: StopRule = StopRule(least=6, most=20, time_limit_s=0.2)
    """Six samples are the least that a median's interval can be told from."""
    baselines: tuple[SeriesKey, ...] = USUAL_BASELINES
    """Of `BASELINES`: what to time beside the kernel, as far as it is here."""
    blocks: bool = False
    """Record on a GPU when and where each block runs, also without timings."""
    journey: bool = False
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

    Answered by a `RunResult` without arrays and trace; findings and modelled figures are new.
    """

    job: Job


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """Time a job over sizes; every point is sent ahead as `SweepProgress`, then a `SweepResult`.

    A bare size sets every axis.
    """

    job: Job
    sizes: tuple[int, ...]
    rule: StopRule = StopRule(least=6, most=20, time_limit_s=0.5)
    skip_above_s: float = 10.0
    """A series stops at the size where one run would take longer."""
    done: tuple[Series, ...] = ()
    """Series of an earlier sweep that was stopped: sizes of which all is known are taken over."""
    baselines: tuple[SeriesKey, ...] = USUAL_BASELINES
    """Of `BASELINES`: what to time beside the kernel, as far as it is here."""
    kernel_only: bool = False
    """Time neither baselines nor copies. It is so where several GPUs share a sweep: baselines and
    copies of several sizes at a time would take the processor and the bus from each other."""


@dataclass(frozen=True, slots=True)
class LaunchChoice:
    """One of the launches that are held against each other."""

    variant: str
    block: Dim3 | None = None
    """The variant's default if None; the grid follows."""


@dataclass(frozen=True, slots=True)
class LaunchSweepRequest:
    """Time one problem with several launches; points are sent ahead as `LaunchSweepProgress`.

    Answered by a `LaunchSweepResult`.
    """

    job: Job
    choices: tuple[LaunchChoice, ...]
    rule: StopRule = StopRule(least=9, most=60, time_limit_s=0.3)
    done: tuple[LaunchPoint, ...] = ()
    """Points of an earlier sweep that was stopped: they are not measured again."""


@dataclass(frozen=True, slots=True)
class DevicesRequest:
    """What is here. Answered by `DevicesResult`."""


Request = RunRequest | ResourcesRequest | SweepRequest | LaunchSweepRequest | DevicesRequest


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A stage that has begun: ``compiling``, ``running``, ``observing``, ``timing``."""

    stage: str
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
    """When and where each block ran, measured or modelled (it says which)."""
    timings: tuple[Timing, ...] = ()
    kernel_times: KernelTimes | None = None
    """How the kernel was timed on a GPU; None without one."""
    journey: Journey | None = None
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


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Smallest size from which the GPU, copies counted, beats a baseline."""

    baseline: str
    size: float | None
    """Interpolated between points; None if it never does in this range."""
    low: float | None = None
    """Least that the size may be, as far as the samples tell; None if it never does."""
    high: float | None = None
    """Most that it may be; None if it may be that the GPU never gets ahead in this range."""


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """Series so far."""

    series: tuple[Series, ...]
    done: int
    total: int
    left_s: float | None
    so_far: SweepResult | None = None
    """What there is if the sweep ends here, however it does."""


@dataclass(frozen=True, slots=True)
class SweepResult:
    """All series of a sweep with what is needed to repeat it."""

    job: Job
    launch_text: str
    """Such as ``256 threads a block, grid follows size``."""
    axis: str
    """Such as ``n, elements`` or ``n, for n × n matrices``."""
    series: tuple[Series, ...]
    break_even: tuple[BreakEven, ...]
    environment: Mapping[str, str]
    """Device, driver, versions, CPU, threads, date, seed."""
    all_match: bool | None
    complete: bool
    """False if it was stopped."""


@dataclass(frozen=True, slots=True)
class LaunchPoint:
    """What one launch takes, or why it is not known."""

    choice: LaunchChoice
    launch: Launch | None
    """None where the choice means no launch."""
    samples: Samples | None
    """Warm, kernel only; None where it was skipped."""
    provenance: Provenance
    device: str
    """Hardware that it was taken on, or is modelled for."""
    matches: bool | None = None
    """Whether the output agrees with NumPy; None if it was not looked at."""
    warps_per_sm: int | None = None
    """By occupancy."""
    skipped: str = ""
    """Why, for a person."""


@dataclass(frozen=True, slots=True)
class LaunchSweepProgress:
    """Points so far."""

    points: tuple[LaunchPoint, ...]
    done: int
    total: int
    so_far: LaunchSweepResult | None = None
    """What there is if the sweep ends here, however it does."""


@dataclass(frozen=True, slots=True)
class LaunchSweepResult:
    """All points in the order of the choices, with what is needed to repeat them."""

    job: Job
    points: tuple[LaunchPoint, ...]
    environment: Mapping[str, str]
    complete: bool
    """False if it was stopped."""


@dataclass(frozen=True, slots=True)
class DevicesResult:
    """GPUs that are here, models of the table, and what was looked for."""

    gpus: tuple[DeviceModel, ...]
    models: tuple[DeviceModel, ...]
    checked: tuple[tuple[str, bool, str], ...]
    """Rows of (what, found, text): driver, PyCUDA, emulator, CUDA compiler."""


Progress = RunProgress | RunAhead | SweepProgress | LaunchSweepProgress
Result = RunResult | SweepResult | LaunchSweepResult | DevicesResult
