# SPDX-License-Identifier: MIT
"""The same JSON object as a CSV table: the context as leading comments, then one row a sample."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any

from threadloom.services.export.blocks import BlocksRecord, block_rows
from threadloom.services.export.breakdown import BreakdownRecord
from threadloom.services.export.converter import Plain
from threadloom.services.export.document import LAUNCHES, Record, context_of
from threadloom.services.export.launch_table import COLUMNS as LAUNCH_COLUMNS
from threadloom.services.export.launch_table import (
    launch_rows,
    launches_from_table,
    said_convergence,
)
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult

COMMENT = "# "
SERIES_COLUMNS = ("series", "label", "source", "engine", "device", "baseline")
"""What says which curve or bar a row belongs to; empty where a kind of record has no such thing."""
COLUMNS = (
    *SERIES_COLUMNS,
    "size",
    "sample",
    "time_s",
    "median_s",
    "converged",
    "rule_met",
    "cold",
    "timer_resolution_s",
    "skipped",
)

STEP_COLUMNS = (
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

_Row = dict[str, str]
_Rows = Iterable[Sequence[Any]]


def to_table(record: Record) -> str:
    """One row for each sample, of blocks one for each block or warp."""
    context = context_of(record)
    columns, rows = _body(record, context)
    text = io.StringIO()
    for key, value in context.items():
        text.write(f"{COMMENT}{key}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _body(record: Record, context: Plain) -> tuple[Sequence[str], _Rows]:
    """Columns and rows; what stands in the rows is taken out of the context."""
    if isinstance(record, BlocksRecord):
        return block_rows(record.each)
    if isinstance(record, BreakdownRecord):
        return STEP_COLUMNS, _in(STEP_COLUMNS, _step_rows(context.pop("steps")))
    if isinstance(record, LaunchSweepResult):
        return LAUNCH_COLUMNS, _in(LAUNCH_COLUMNS, launch_rows(context.pop("points")))
    entries = context.pop("series" if isinstance(record, SweepResult) else "timings")
    rows = (
        row
        for entry in entries
        for point in entry.get("points", [entry])
        for row in _rows(entry, point)
    )
    return COLUMNS, _in(COLUMNS, rows)


def _in(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Any]]:
    return ([row.get(column, "") for column in columns] for row in rows)


def _step_rows(steps: Iterable[Plain]) -> Iterator[Plain]:
    """One row a sample; one without a time for a step that is not known."""
    for step in steps:
        common = {"part": step["part"], "step": step["step"], "note": step["note"]}
        common["source"] = step["source"] or ""
        if "samples_s" not in step:
            yield common
        for number, seconds in enumerate(step.get("samples_s", ())):
            yield common | {
                "sample": number,
                "time_s": repr(seconds),
                "median_s": repr(step["median_s"]),
                "converged": _word(step["converged"]),
                "rule_met": _word(step["converged"]),
            }


def _rows(entry: Plain, point: Plain) -> Iterator[dict[str, Any]]:
    common = {name: entry.get(name, "") for name in SERIES_COLUMNS}
    common |= {"series": entry["key"], "size": point.get("size", "")}
    if not point["samples_s"]:
        yield common | {"skipped": point.get("skipped", "")}
    for number, seconds in enumerate(point["samples_s"]):
        yield common | {
            "sample": number,
            "time_s": repr(seconds),
            "median_s": repr(point["median_s"]),
            "converged": _word(point["converged"]),
            "rule_met": _word(point["converged"]),
            "cold": _word(point["cold"]),
            "timer_resolution_s": repr(point.get("timer_resolution_s", 0.0)),
        }


def from_table(text: str) -> Plain:
    """Read it back: the document that was written, with statistics from the raw samples.

    Raises:
        ValueError, KeyError: If it is no such table.
    """
    lines = text.splitlines(keepends=True)
    comments = list(takewhile(lambda line: line.startswith(COMMENT), lines))
    document: Plain = {}
    for line in comments:
        key, _colon, value = line.removeprefix(COMMENT).partition(": ")
        document[key] = json.loads(value)
    rows = list(csv.DictReader(lines[len(comments) :]))
    if document.get("format") == LAUNCHES:
        return launches_from_table(document, rows)
    if "break_even" in document:
        document["series"] = list(_series(rows))
    else:
        document["timings"] = [_entry(group) | _point(group) for group in _groups(rows)]
    return document


def _series(rows: list[_Row]) -> Iterator[Plain]:
    by_series = groupby(rows, key=lambda row: [row[name] for name in SERIES_COLUMNS])
    for _key, group in by_series:
        of_series = list(group)
        points = [list(same) for _size, same in groupby(of_series, key=lambda row: row["size"])]
        yield _entry(of_series) | {
            "points": [{"size": int(p[0]["size"])} | _point(p) for p in points]
        }


def _groups(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Rows of one bar each; a bar starts with sample 0."""
    group: list[_Row] = []
    for row in rows:
        if group and row["sample"] in {"", "0"}:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _entry(rows: list[_Row]) -> Plain:
    first = rows[0]
    return {"key": first["series"]} | {name: first[name] for name in SERIES_COLUMNS[1:]}


def _point(rows: list[_Row]) -> Plain:
    samples = [float(row["time_s"]) for row in rows if row["time_s"]]
    if not samples:
        return {"samples_s": [], "skipped": rows[0]["skipped"]}
    return {
        "samples_s": samples,
        **said_convergence(rows[0]),
        "cold": rows[0]["cold"] == "true",
        "timer_resolution_s": float(rows[0].get("timer_resolution_s") or 0),
    }


def _word(value: bool) -> str:
    return "true" if value else "false"
