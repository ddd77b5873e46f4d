# SPDX-License-Identifier: MIT
"""Jobs, launches and samples as plain values that JSON can hold, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import Message
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import RELATIVE_TARGET, Samples

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
    """Raw values and what is derived from them; what there is only on a GPU, if there is any.

    ``low_s``, ``high_s``, ``rule_met``, ``step_s``, ``dropped`` and ``conditions`` are the former
    names of ``min_s``, ``max_s``, ``converged``, ``timer_resolution_s``, ``discarded`` and
    ``gpu_states``.
    """
    plain: Plain = {
        "samples_s": list(samples.seconds),
        "median_s": samples.median_s,
        "min_s": samples.min_s,
        "max_s": samples.max_s,
        "low_s": samples.min_s,
        "high_s": samples.max_s,
        "converged": samples.converged,
        "rule_met": samples.converged,
        "relative_half_width": _finite(samples.relative_half_width),
        "cold": samples.cold,
    }
    if samples.timer_resolution_s:
        plain["timer_resolution_s"] = plain["step_s"] = samples.timer_resolution_s
    if samples.method:
        plain["method"] = samples.method.english()
    if samples.gpu_states is not None:
        plain["discarded"] = plain["dropped"] = samples.dropped
        states = [asdict(state) for state in samples.gpu_states.states]
        plain["gpu_states"] = plain["conditions"] = states
    return plain


def samples_from_plain(plain: Mapping[str, Any]) -> Samples:
    """The samples again; former names of the keys are read, too."""
    samples = Samples(
        tuple(float(value) for value in plain["samples_s"]),
        cold=bool(plain["cold"]),
        method=Message(plain.get("method", "")),
        dropped=int(plain.get("discarded", plain.get("dropped", 0))),
        gpu_states=_gpu_states(plain.get("gpu_states", plain.get("conditions"))),
        timer_resolution_s=float(plain.get("timer_resolution_s", plain.get("step_s", 0.0))),
    )
    return replace(samples, converged=_converged(plain, samples))


def _converged(plain: Mapping[str, Any], samples: Samples) -> bool:
    """What is said of them; ``rule_met`` alone was said of the mean, so the median decides."""
    if "converged" in plain:
        return bool(plain["converged"])
    reached = samples.relative_half_width
    precise = len(samples.seconds) == 1 or (reached is not None and reached <= RELATIVE_TARGET)
    return bool(plain["rule_met"]) and precise


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _gpu_states(plain: Sequence[Mapping[str, Any]] | None) -> GpuStates | None:
    if plain is None:
        return None
    states = (GpuState(**{**one, "throttling": tuple(one["throttling"])}) for one in plain)
    return GpuStates(tuple(states))
