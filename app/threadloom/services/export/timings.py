# SPDX-License-Identifier: MIT
"""The timings of one run with what is needed to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.model.timing.samples import Timing
from threadloom.services.bench.environment import environment


@dataclass(frozen=True, slots=True)
class TimingsRecord:
    """What of a run's result goes into a file of timings."""

    job: Job
    launch: Launch
    engine: Engine
    device: str
    timings: tuple[Timing, ...]
    environment: Mapping[str, str]

    @classmethod
    def of(cls, run: Run) -> TimingsRecord:
        """Take the timings of a run that has just been made."""
        return cls(
            job=run.job,
            launch=run.launch,
            engine=run.engine,
            device=run.device.name,
            timings=run.timings,
            environment=environment(run.device, run.job.seed),
        )
