# SPDX-License-Identifier: MIT
"""What of a run is new, and how it comes to what was known before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from threadloom.model.run import Measurement, Observation, Run


class Part(Enum):
    """What of a run may come, or change, by itself."""

    TARGET = auto()
    """Another job, launch, device or engine: another run."""
    COMPILATION = auto()
    OBSERVATION = auto()
    TRACE = auto()
    """Of the observation: another block's accesses."""
    MEASUREMENT = auto()
    BREAKDOWN = auto()
    """Of the measurement: every step from the host's memory and back."""
    FINDINGS = auto()


EVERY_PART = frozenset(Part)


@dataclass(frozen=True, slots=True, eq=False)
class RunChange:
    """A run with the parts of it that are new; no run if what was shown is forgotten."""

    run: Run | None
    parts: frozenset[Part] = EVERY_PART

    @property
    def is_new_run(self) -> bool:
        """Whether it is another run than before."""
        return Part.TARGET in self.parts

    def affects(self, *parts: Part) -> bool:
        """Whether any of these parts is new."""
        return not self.parts.isdisjoint(parts)


def updated(known: Run, later: Run, parts: frozenset[Part]) -> Run:
    """The known run with these parts of a later one of the same job."""
    run = known
    if Part.COMPILATION in parts:
        run = replace(run, compilation=later.compilation)
    if Part.OBSERVATION in parts:
        run = replace(run, observation=later.observation)
    elif Part.TRACE in parts:
        seen = run.observation or Observation()
        run = replace(run, observation=replace(seen, trace=later.trace))
    if Part.MEASUREMENT in parts:
        run = replace(run, measurement=later.measurement)
    elif Part.BREAKDOWN in parts:
        timed = run.measurement or Measurement()
        run = replace(run, measurement=replace(timed, breakdown=later.breakdown))
    if Part.FINDINGS in parts:
        run = replace(
            run, findings=later.findings, failure=later.failure, elapsed_s=later.elapsed_s
        )
    return run
