# SPDX-License-Identifier: MIT
"""Jobs, launches and samples as plain values that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.timing.gpu_state import Conditions, Reading
from threadloom.model.timing.samples import Samples

Plain = dict[str, Any]
"""A JSON object."""


def job_to_plain(job: Job) -> Plain:
    """Every field of a job."""
    values = {field.name: getattr(job, field.name) for field in fields(job)}
    values["sizes"] = dict(job.sizes)
    return {name: list(v) if isinstance(v, Dim3) else v for name, v in values.items()}


def job_from_plain(plain: Mapping[str, Any]) -> Job:
    """The job again."""
    values = dict(plain)
    for name in ("block", "grid"):
        if values.get(name) is not None:
            values[name] = Dim3.of(values[name])
    return Job(**values)


def launch_to_plain(launch: Launch) -> Plain:
    """Grid, block and dynamic shared memory."""
    return {
        "grid": list(launch.grid),
        "block": list(launch.block),
        "shared_bytes": launch.shared_bytes,
    }


def launch_from_plain(plain: Mapping[str, Any]) -> Launch:
    """The launch again."""
    return Launch(Dim3.of(plain["grid"]), Dim3.of(plain["block"]), int(plain["shared_bytes"]))


def samples_to_plain(samples: Samples) -> Plain:
    """Raw values and what is derived from them; what there is only on a GPU, if there is any."""
    plain: Plain = {
        "samples_s": list(samples.seconds),
        "median_s": samples.median_s,
        "low_s": samples.low_s,
        "high_s": samples.high_s,
        "rule_met": samples.rule_met,
        "cold": samples.cold,
    }
    if samples.step_s:
        plain["step_s"] = samples.step_s
    if samples.method:
        plain["method"] = samples.method
    if samples.conditions is not None:
        plain["dropped"] = samples.dropped
        plain["conditions"] = [asdict(reading) for reading in samples.conditions.readings]
    return plain


def samples_from_plain(plain: Mapping[str, Any]) -> Samples:
    """The samples again."""
    return Samples(
        tuple(float(value) for value in plain["samples_s"]),
        rule_met=bool(plain["rule_met"]),
        cold=bool(plain["cold"]),
        method=plain.get("method", ""),
        dropped=int(plain.get("dropped", 0)),
        conditions=_conditions(plain.get("conditions")),
        step_s=float(plain.get("step_s", 0.0)),
    )


def _conditions(plain: Sequence[Mapping[str, Any]] | None) -> Conditions | None:
    if plain is None:
        return None
    readings = (Reading(**{**one, "throttling": tuple(one["throttling"])}) for one in plain)
    return Conditions(tuple(readings))
