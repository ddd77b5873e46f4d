# SPDX-License-Identifier: MIT
"""Records from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from threadloom.model.message import Message
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import Point, Series, SeriesKey, Timing
from threadloom.services.export.document import RUN, SWEEP, VERSION
from threadloom.services.export.launches import LAUNCHES, launch_sweep
from threadloom.services.export.plain import (
    job_from_plain,
    launch_from_plain,
    samples_from_plain,
)
from threadloom.services.export.table import from_table
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import BreakEven, SweepResult
from threadloom.text import _
from threadloom.worker.outcome import ExpectedError

Readable = SweepResult | LaunchSweepResult | TimingsRecord
"""What can be read again."""


class RecordError(ExpectedError):
    """A file that holds no timings of ours; the text says which and why."""


def read_json(path: Path) -> Readable:
    """Read what `write_json` wrote.

    Raises:
        RecordError: If the file holds something else.
        OSError: If it cannot be read.
    """
    return _read(path, json.loads)


def read_csv(path: Path) -> Readable:
    """Read what `write_csv` wrote.

    Raises:
        RecordError: If the file holds something else.
        OSError: If it cannot be read.
    """
    return _read(path, from_table)


def _read(path: Path, parse: Callable[[str], Mapping[str, Any]]) -> Readable:
    try:
        return _record(parse(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        text = _("{file} holds no timings that can be read: {reason}")
        raise RecordError(text.format(file=path, reason=error)) from error


def _record(document: Mapping[str, Any]) -> Readable:
    form, version = document["format"], document["version"]
    if version > VERSION:
        raise ValueError(
            _("it has version {found}; this program reads up to {known}").format(
                found=version, known=VERSION
            )
        )
    if form == SWEEP:
        return _sweep(document)
    if form == RUN:
        return _run(document)
    if form == LAUNCHES:
        return launch_sweep(document)
    raise ValueError(_("its format is {format}").format(format=form))


def _sweep(document: Mapping[str, Any]) -> SweepResult:
    return SweepResult(
        job=job_from_plain(document["job"]),
        launch_text=Message(document["launch_text"]),
        axis=Message(document["axis"]),
        series=tuple(_series(series) for series in document["series"]),
        break_even=tuple(
            BreakEven(Message(f["baseline"]), f["size"], f.get("low"), f.get("high"))
            for f in document["break_even"]
        ),
        environment=document["environment"],
        all_match=document["all_match"],
        complete=document["complete"],
    )


def _run(document: Mapping[str, Any]) -> TimingsRecord:
    return TimingsRecord(
        job=job_from_plain(document["job"]),
        launch=launch_from_plain(document["launch"]),
        engine=Engine(document["engine"]),
        device=document["device"],
        timings=tuple(_timing(timing) for timing in document["timings"]),
        environment=document["environment"],
    )


def _series(plain: Mapping[str, Any]) -> Series:
    return Series(
        key=SeriesKey(plain["key"]),
        label=Message(plain["label"]),
        provenance=Provenance(plain["source"]),
        engine=Engine(plain["engine"]),
        device=plain["device"],
        baseline=Message(plain["baseline"]),
        points=tuple(_point(point) for point in plain["points"]),
    )


def _point(plain: Mapping[str, Any]) -> Point:
    if not plain["samples_s"]:
        return Point(plain["size"], None, Message(plain["skipped"]))
    return Point(plain["size"], samples_from_plain(plain))


def _timing(plain: Mapping[str, Any]) -> Timing:
    return Timing(
        key=SeriesKey(plain["key"]),
        label=Message(plain["label"]),
        samples=samples_from_plain(plain),
        provenance=Provenance(plain["source"]),
        device=plain["device"],
    )
