# SPDX-License-Identifier: MIT
"""The same JSON object as a CSV table: the context as leading comments, then one row a sample."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import Any

from threadloom.services.export.launch_table import COMMENT, launches_from_table, said_convergence
from threadloom.services.export.launches import LAUNCHES
from threadloom.services.export.plain import Plain

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

_Row = dict[str, str]


def to_table(document: Plain) -> str:
    """Write a document of `sweep_document` or `run_document`."""
    body = "timings" if "timings" in document else "series"
    text = io.StringIO()
    for key, value in document.items():
        if key != body:
            text.write(f"{COMMENT}{key}: {json.dumps(value, ensure_ascii=False)}\n")
    writer: csv.DictWriter[str] = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for entry in document[body]:
        for point in entry.get("points", [entry]):
            writer.writerows(_rows(entry, point))
    return text.getvalue()


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
