# SPDX-License-Identifier: MIT
"""Requests for one run, and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.provenance import Engine
from threadloom.model.timing.samples import (
    USUAL_BASELINES,
    SeriesKey,
    StoppingCriterion,
)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Compile, launch, check against NumPy; then, if asked, observe and time.

    Answered by one `Run`. The stages that begin are sent ahead as `RunProgress`.
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
    """Send what is known as a `Run` before timing that takes long; the answer then has no
    observation unless that changed since."""
    anyway: bool = False
    """On a GPU, launch what the device's limits refuse: for the driver's own words, no result."""
    kernel_limit_s: float = 0.0
    """An emulated kernel that runs for longer is stopped, and a thread that still runs is named
    with its line; 0 leaves that to whoever watches the process, who cannot tell."""
    nvcc_wait_s: float = 60.0
    """How long to wait for NVIDIA's compiler, where it is here, once all else is known. With less,
    a compilation may be ``pending``: `ResourcesRequest` has more."""


@dataclass(frozen=True, slots=True)
class ResourcesRequest:
    """What NVIDIA's compiler says of the last run's kernel, for a compilation that is ``pending``.

    Answered by a `Run` without observation; findings and modeled figures are new.
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
