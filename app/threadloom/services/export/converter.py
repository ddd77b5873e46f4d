# SPDX-License-Identifier: MIT
"""Records as plain values that JSON can hold, and back: by their fields, with few exceptions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

import cattrs
import numpy as np
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix, Where
from threadloom.model.message import Message
from threadloom.model.provenance import Provenance
from threadloom.model.run import Compilation, Measurement
from threadloom.model.timing.breakdown import Breakdown, PinnedBreakdown
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.rates import Rates
from threadloom.model.timing.samples import RELATIVE_TARGET, Point, Samples, Series, Timing
from threadloom.model.totals import Total
from threadloom.model.trace import Coverage, Site, Trace
from threadloom.services.bench.breakdown import Step
from threadloom.services.export.blocks import BlocksRecord, TimelineSummary
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.services.messages.sweep import SweepResult

Plain = dict[str, Any]
"""A JSON object."""
Record = TypeVar("Record")

KEYS: Mapping[type, Mapping[str, str]] = {
    LaunchPoint: {"provenance": "source"},
    Measurement: {"kernel_times": "kernel"},
    Samples: {"seconds": "samples_s", "dropped": "discarded"},
    Series: {"provenance": "source"},
    Step: {"provenance": "source", "title": "step"},
    TimelineSummary: {"provenance": "source"},
    Timing: {"provenance": "source"},
}
"""Keys of fields that are named otherwise."""

LEFT_OUT: Mapping[type, frozenset[str]] = {
    BlocksRecord: frozenset({"each"}),
    Compilation: frozenset({"signature", "occupancy", "log", "pending"}),
    Coverage: frozenset({"array", "shape", "owner", "writes", "order", "multi_writer_mask"}),
    Finding: frozenset({"control"}),
    Measurement: frozenset({"timings", "timeline"}),
    Step: frozenset({"series"}),
    Trace: frozenset({"distinct_bytes", "unchecked", "block"}),
}
"""Fields that are of no use outside the program, or are written in another way."""

OPTIONAL: Mapping[type, frozenset[str]] = {
    KernelTimes: frozenset({"cold", "cold_rates", "in_stream", "empty", "empty_cold"}),
    Point: frozenset({"skipped"}),
    Samples: frozenset({"timer_resolution_s", "method", "gpu_states"}),
    Where: frozenset({"line", "column", "block", "thread", "array", "index"}),
}
"""Fields without a key while they have their default."""

INLINE: Mapping[type, frozenset[str]] = {
    LaunchPoint: frozenset({"choice", "samples"}),
    Point: frozenset({"samples"}),
    Step: frozenset({"samples"}),
    Timing: frozenset({"samples"}),
}
"""Fields whose keys stand among those of the record that holds them."""

DERIVED: Mapping[type, Mapping[str, str]] = {
    BlocksRecord: {name: f"job.{name}" for name in ("operation", "variant")},
    Coverage: {name: name for name in ("elements", "written", "uncovered", "multi_writer")},
    Rates: {"above_peak": "above_peak"},
    Samples: {n: n for n in ("median_s", "min_s", "max_s", "relative_half_width")},
    Site: {"reuse": "reuse"},
    SweepResult: {name: f"job.{name}" for name in ("operation", "variant", "dtype")},
    TimingsRecord: {name: f"job.{name}" for name in ("operation", "variant")},
    Total: {"reuse": "reuse"},
}
"""Keys of what follows from the fields: for other programs, and not read again."""

FORMER: Mapping[type, Mapping[str, str]] = {
    Breakdown: {"copy_in_pageable": "h2d_pageable", "copy_out_pageable": "d2h_pageable"},
    Measurement: {"journey": "breakdown"},
    PinnedBreakdown: {"copy_in": "h2d", "copy_out": "d2h"},
    Samples: {
        "low_s": "min_s",
        "high_s": "max_s",
        "rule_met": "converged",
        "step_s": "timer_resolution_s",
        "dropped": "discarded",
        "conditions": "gpu_states",
    },
    Trace: {"uninitialised_reads": "uninitialized_reads"},
}
"""Keys of version 0.1 with those of today: written beside them, and read where these lack."""

_converter = cattrs.Converter(unstruct_collection_overrides={tuple: list})


def to_plain(record: object) -> Plain:
    """A record as a JSON object."""
    plain: Plain = _converter.unstructure(record)
    return plain


def from_plain(plain: Mapping[str, Any], kind: type[Record]) -> Record:
    """The record again.

    Raises:
        ValueError: With the place and what is expected there, if it holds something else.
    """
    try:
        return _converter.structure(plain, kind)
    except cattrs.BaseValidationError as error:
        raise ValueError("; ".join(cattrs.transform_error(error, path=""))) from error


def _writer(kind: type) -> Callable[[Any], Plain]:
    """Writes the fields, then those that stand among them, then what follows from them."""
    inline, left_out = INLINE.get(kind, frozenset()), LEFT_OUT.get(kind, frozenset())
    overrides: dict[str, Any] = {
        field.name: override(
            omit=field.name in inline or field.name in left_out,
            omit_if_default=field.name in OPTIONAL.get(kind, frozenset()),
            rename=KEYS.get(kind, {}).get(field.name),
        )
        for field in fields(kind)
    }
    write: Callable[[Any], Plain] = make_dict_unstructure_fn(kind, _converter, **overrides)
    derived = {key: attrgetter(path) for key, path in DERIVED.get(kind, {}).items()}

    def written(record: Any) -> Plain:
        plain = write(record)
        for name in inline:
            if (value := getattr(record, name)) is not None:
                plain |= _converter.unstructure(value)
        plain |= {key: _converter.unstructure(get(record)) for key, get in derived.items()}
        former = FORMER.get(kind, {})
        return plain | {old: plain[key] for old, key in former.items() if key in plain}

    return written


def _reader(kind: type) -> Callable[[Any, type], Any]:
    """Reads the fields; one that stands among the others is read from the whole object."""
    inline = INLINE.get(kind, frozenset())
    overrides: dict[str, Any] = {
        field.name: override(rename=KEYS.get(kind, {}).get(field.name)) for field in fields(kind)
    }
    read: Callable[[Any, type], Any] = make_dict_structure_fn(kind, _converter, **overrides)

    def read_whole(plain: Any, wanted: type) -> Any:
        if not isinstance(plain, Mapping):
            raise ValueError(f"an object is expected, not {plain!r}")
        inner = {name: plain for name in inline if name != "samples" or plain.get("samples_s")}
        missing = dict.fromkeys(inline - set(inner))
        former = {key: plain[old] for old, key in FORMER.get(kind, {}).items() if old in plain}
        return read({**former, **plain, **missing, **inner}, wanted)

    return read_whole


def _dim3(values: Any, _kind: type) -> Dim3:
    if not isinstance(values, list | tuple):
        raise ValueError(f"a list of one to three integers is expected, not {values!r}")
    return Dim3.of(values)


def _message(text: Any, _kind: type) -> Message:
    """One that has a translation if it holds no values: what was written is worded English."""
    if not isinstance(text, str):
        raise ValueError(f"a string is expected, not {text!r}")
    return Message(text)


def _samples(samples: Samples, write: Callable[[Any], Plain]) -> Plain:
    """Without the GPU's state nothing says that samples were dropped."""
    plain = write(samples)
    if samples.gpu_states is None:
        del plain["discarded"], plain["dropped"]
    return plain


def _read_samples(plain: Any, kind: type[Samples], read: Callable[[Any, type], Samples]) -> Samples:
    """A rule that was met was met by the mean: whether they converged, the median says."""
    samples = read(plain, kind)
    if "converged" in plain:
        return samples
    reached = samples.relative_half_width
    precise = len(samples.seconds) == 1 or (reached is not None and reached <= RELATIVE_TARGET)
    return replace(samples, converged=samples.converged and precise)


def _point(point: Point, write: Callable[[Any], Plain]) -> Plain:
    return write(point) if point.samples else {"samples_s": [], "skipped": "", **write(point)}


def _timeline(summary: TimelineSummary, write: Callable[[Any], Plain]) -> Plain:
    """A modeled one has nothing of what only a recording tells."""
    if summary.provenance is Provenance.MEASURED:
        return write(summary)
    return {key: value for key, value in write(summary).items() if value is not None}


def _fix(fix: Fix) -> Plain:
    """Only what it changes."""
    launch = {"grid": fix.grid, "block": fix.block, "shared_bytes": fix.shared_bytes}
    changes = {
        "title": fix.title,
        "launch": {key: value for key, value in launch.items() if value is not None} or None,
        "variant": fix.variant,
        "size": fix.sizes or None,
        "edit": fix.edit,
    }
    plain: Plain = _converter.unstructure(
        {key: value for key, value in changes.items() if value is not None}
    )
    return plain


def _register() -> None:
    """Hooks for single values, for every dataclass, then for those that need more."""
    hook = _converter.register_unstructure_hook
    hook(float, lambda value: value if math.isfinite(value) else None)
    hook(np.ndarray, lambda array: array.tolist())
    hook(StrEnum, lambda value: value.value)
    hook(Dim3, list)
    _converter.register_structure_hook(Dim3, _dim3)
    _converter.register_unstructure_hook_factory(is_dataclass, _writer)
    _converter.register_structure_hook_factory(is_dataclass, _reader)
    hook(Message, Message.english)
    _converter.register_structure_hook(Message, _message)
    hook(Fix, _fix)
    hook(GpuStates, lambda states: _converter.unstructure(states.states))
    _converter.register_structure_hook(
        GpuStates,
        lambda states, _kind: GpuStates(_converter.structure(states, tuple[GpuState, ...])),
    )
    _converter.register_structure_hook(Samples, partial(_read_samples, read=_reader(Samples)))
    for kind, special in ((Samples, _samples), (Point, _point), (TimelineSummary, _timeline)):
        hook(kind, partial(special, write=_writer(kind)))


_register()
