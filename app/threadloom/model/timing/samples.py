# SPDX-License-Identifier: MIT
"""Timing samples: raw values are kept, the rest is derived."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.gpu_state import Conditions


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a measurement has enough samples."""

    least: int = 10
    most: int = 100
    relative_error: float = 0.02
    """Half-width of the confidence interval of the mean, as a share of the mean."""
    time_limit_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Samples:
    """Times of one thing at one size, in seconds."""

    seconds: tuple[float, ...]
    rule_met: bool = True
    """Whether the stop rule's precision was reached."""
    cold: bool = False
    """Whether caches were flushed before each sample."""
    method: str = ""
    """How they were taken, for a user; empty where there is only one way."""
    dropped: int = 0
    """Samples left out because the GPU held its clocks down while they were taken."""
    conditions: Conditions | None = None
    """The GPU's state meanwhile, where it can be read."""
    step_s: float = 0.0
    """What the clock can tell apart, by the calls of a sample; 0 where it is not known."""

    @property
    def below_step(self) -> bool:
        """Whether the median is less than the clock can tell."""
        return self.median_s < self.step_s

    @property
    def median_s(self) -> float:
        """Median, in seconds."""
        return median(self.seconds)

    @property
    def low_s(self) -> float:
        """Shortest, in seconds."""
        return min(self.seconds)

    @property
    def high_s(self) -> float:
        """Longest, in seconds."""
        return max(self.seconds)

    @property
    def spread(self) -> float:
        """Range as a share of the median."""
        return (self.high_s - self.low_s) / self.median_s if self.median_s else 0.0


class SeriesKey(StrEnum):
    """What a curve or bar shows; each has its own color and marker."""

    C_LOOP = "c_loop"
    NUMPY = "numpy"
    KERNEL = "kernel"
    TOTAL = "total"
    COPY_IN = "copy_in"
    COPY_OUT = "copy_out"
    C_LOOP_THREADS = "c_loop_threads"
    """The C loop on all threads."""
    FRAMEWORK = "framework"
    """What a framework does on the same GPU; the label names it."""


BASELINES = (SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY, SeriesKey.FRAMEWORK)
"""What a kernel can be held against, in the order in which they are timed and told."""
USUAL_BASELINES = (SeriesKey.C_LOOP, SeriesKey.NUMPY)
"""Those that are timed unless others are chosen."""


@dataclass(frozen=True, slots=True)
class Point:
    """One size of a series."""

    size: int
    samples: Samples | None
    """None where the size was skipped."""
    skipped: str = ""
    """Why, for a user."""


@dataclass(frozen=True, slots=True)
class Series:
    """One curve over sizes."""

    key: SeriesKey
    label: str
    """Such as ``NumPy 2.4, 2 threads``."""
    provenance: Provenance
    engine: Engine
    device: str
    """Hardware that it was taken on, or is modeled for."""
    baseline: str
    """What is counted and with what: ``copies counted``, ``kernel only``, library and threads."""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """One figure of a run: a bar."""

    key: SeriesKey
    label: str
    samples: Samples
    provenance: Provenance
    device: str
