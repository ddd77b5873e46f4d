# SPDX-License-Identifier: MIT
"""Every step of one run's way through a GPU, for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.run import Run
from threadloom.services.bench.breakdown import Step
from threadloom.services.bench.environment import environment


@dataclass(frozen=True, slots=True)
class BreakdownRecord:
    """What of a run's result goes into a file of steps."""

    job: Job
    launch: Launch
    device: str
    steps: tuple[Step, ...]
    environment: Mapping[str, str]

    @classmethod
    def of(cls, run: Run, steps: Sequence[Step]) -> BreakdownRecord:
        """Take the steps of a run that has just been made."""
        return cls(
            job=run.job,
            launch=run.launch,
            device=run.device.name,
            steps=tuple(steps),
            environment=environment(run.device, run.job.seed),
        )
