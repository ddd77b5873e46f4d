# SPDX-License-Identifier: MIT
"""Timing samples: raw values are kept, the rest is derived."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from threadloom.model.message import NOTHING, Message
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.confidence_interval import relative_half_width
from threadloom.model.timing.gpu_state import GpuStates

RELATIVE_TARGET = 0.02
"""Half-width of the median's 95 % interval at which a measurement has converged: ±2 %."""


@dataclass(frozen=True, slots=True)
class StoppingCriterion:
    """When a measurement has enough samples."""

    min_samples: int = 10
    max_samples: int = 100
    relative_target: float = RELATIVE_TARGET
    """Largest half-width of the median's 95 % confidence interval, as a share of the median."""
    time_limit_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Samples:
    """Times of one thing at one size, in seconds."""

    seconds: tuple[float, ...]
    converged: bool = True
    """Whether the median was known as precisely as the stopping criterion demands."""
    cold: bool = False
    """Whether caches were flushed before each sample."""
    method: Message = NOTHING
    """How they were taken, for a user; empty where there is only one way."""
    dropped: int = 0
    """Samples discarded because the GPU throttled while they were taken."""
    gpu_states: GpuStates | None = None
    """The GPU's clocks, temperature and throttling meanwhile, where they can be read."""
    timer_resolution_s: float = 0.0
    """Resolution of the timer, divided by the calls of a sample; 0 where it is not known."""

    @property
    def below_resolution(self) -> bool:
        """Whether the median is less than the timer's resolution."""
        return self.median_s < self.timer_resolution_s

    @property
    def median_s(self) -> float:
        """Median, in seconds."""
        return median(self.seconds)

    @property
    def min_s(self) -> float:
        """Shortest, in seconds."""
        return min(self.seconds)

    @property
    def max_s(self) -> float:
        """Longest, in seconds."""
        return max(self.seconds)

    @property
    def relative_half_width(self) -> float | None:
        """Half-width of the median's 95 % interval as a share of it; None for too few samples."""
        return relative_half_width(self.seconds)


class SeriesKey(StrEnum):
    """What a curve or bar shows; each has its own color and marker."""

    C_LOOP = "c_loop"
    NUMPY = "numpy"
    KERNEL = "kernel"
    TOTAL = "total"
    H2D = "h2d"
    D2H = "d2h"
    C_LOOP_THREADS = "c_loop_threads"
    """The C loop on all threads."""
    FRAMEWORK = "framework"
    """What a framework does on the same GPU; the label names it."""

    @classmethod
    def _missing_(cls, value: object) -> SeriesKey | None:
        """Read the names of version 0.1."""
        return {"copy_in": cls.H2D, "copy_out": cls.D2H}.get(str(value))


BASELINES = (SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY, SeriesKey.FRAMEWORK)
"""What a kernel can be compared with, in the order in which they are timed and shown."""
USUAL_BASELINES = (SeriesKey.C_LOOP, SeriesKey.NUMPY)
"""Those that are timed unless others are chosen."""


@dataclass(frozen=True, slots=True)
class Point:
    """One size of a series."""

    size: int
    samples: Samples | None
    """None where the size was skipped."""
    skipped: Message = NOTHING
    """Why, for a user."""


@dataclass(frozen=True, slots=True)
class Series:
    """One curve over sizes."""

    key: SeriesKey
    label: Message
    """Such as ``NumPy 2.4, 2 threads``."""
    provenance: Provenance
    engine: Engine
    device: str
    """Hardware that it was taken on, or is modeled for."""
    baseline: Message
    """What is counted and with what: ``copies counted``, ``kernel only``, library and threads."""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """One figure of a run: a bar."""

    key: SeriesKey
    label: Message
    samples: Samples
    provenance: Provenance
    device: str
