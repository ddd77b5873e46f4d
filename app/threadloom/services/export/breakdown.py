# SPDX-License-Identifier: MIT
"""Every step of one run's way through a GPU, for a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.services.bench.breakdown import Step
from threadloom.services.bench.environment import environment
from threadloom.services.export.plain import (
    Plain,
    job_to_plain,
    launch_to_plain,
    samples_to_plain,
)
from threadloom.services.messages.run import RunResult

WAY = "threadloom-way"
COLUMNS = (
    "part",
    "step",
    "source",
    "sample",
    "time_s",
    "median_s",
    "converged",
    "rule_met",
    "note",
)


@dataclass(frozen=True, slots=True)
class BreakdownRecord:
    """What of a run's result goes into a file of steps."""

    job: Job
    launch: Launch
    device: str
    steps: tuple[Step, ...]
    environment: Mapping[str, str]

    @classmethod
    def of(cls, result: RunResult, steps: Sequence[Step]) -> BreakdownRecord:
        """Take the steps of a run that has just been made."""
        return cls(
            job=result.job,
            launch=result.launch,
            device=result.device.name,
            steps=tuple(steps),
            environment=environment(result.device, result.job.seed),
        )


def breakdown_document(record: BreakdownRecord) -> Plain:
    """Everything of it; a step that is not known has a note in place of samples."""
    return {
        "format": WAY,
        "version": 1,
        "job": job_to_plain(record.job),
        "launch": launch_to_plain(record.launch),
        "device": record.device,
        "steps": [_step(step) for step in record.steps],
        "environment": dict(record.environment),
    }


def breakdown_table(record: BreakdownRecord) -> str:
    """The context as comments, then one row a sample; one without a time for an unknown step."""
    text = io.StringIO()
    for key, value in breakdown_document(record).items():
        if key != "steps":
            text.write(f"# {key}: {json.dumps(value, ensure_ascii=False)}\n")
    writer: csv.DictWriter[str] = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for step in record.steps:
        writer.writerows(_rows(step))
    return text.getvalue()


def _step(step: Step) -> Plain:
    return {
        "part": step.part.value,
        "step": step.title,
        "source": None if step.provenance is None else step.provenance.value,
        "note": step.note,
        **({} if step.samples is None else samples_to_plain(step.samples)),
    }


def _rows(step: Step) -> Iterator[Mapping[str, object]]:
    common = {
        "part": step.part.value,
        "step": step.title,
        "source": "" if step.provenance is None else step.provenance.value,
        "note": step.note,
    }
    if step.samples is None:
        yield common
        return
    for number, seconds in enumerate(step.samples.seconds):
        yield common | {
            "sample": number,
            "time_s": repr(seconds),
            "median_s": repr(step.samples.median_s),
            "converged": "true" if step.samples.converged else "false",
            "rule_met": "true" if step.samples.converged else "false",
        }
