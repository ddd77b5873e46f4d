# SPDX-License-Identifier: MIT
"""A sweep over launches as a CSV table: the context as comments, then one row a sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from threadloom.services.export.converter import Plain

COLUMNS = (
    "number",
    "variant",
    "chosen_block",
    "block",
    "grid",
    "shared_bytes",
    "source",
    "device",
    "matches",
    "warps_per_sm",
    "sample",
    "time_s",
    "median_s",
    "converged",
    "rule_met",
    "cold",
    "timer_resolution_s",
    "dropped",
    "skipped",
)

_Row = dict[str, str]


def launch_rows(points: Iterable[Plain]) -> Iterator[dict[str, Any]]:
    """One row a sample; extents stand with commas between them."""
    for number, point in enumerate(points):
        yield from _rows(number, point)


def launches_from_table(context: Plain, rows: list[_Row]) -> Plain:
    """The document again, from the comments and the rows; states of the GPU are not in it."""
    groups = groupby(rows, key=lambda row: row["number"])
    return {**context, "points": [_point(list(group)) for _number, group in groups]}


def _rows(number: int, point: Plain) -> Iterator[dict[str, Any]]:
    launch = point["launch"] or {}
    common = {
        "number": number,
        "variant": point["variant"],
        "chosen_block": _extents(point["block"]),
        "block": _extents(launch.get("block")),
        "grid": _extents(launch.get("grid")),
        "shared_bytes": launch.get("shared_bytes", ""),
        "source": point["source"],
        "device": point["device"],
        "matches": _word(point["matches"]),
        "warps_per_sm": "" if point["warps_per_sm"] is None else point["warps_per_sm"],
        "skipped": point["skipped"],
    }
    if "samples_s" not in point:
        yield common
    for place, seconds in enumerate(point.get("samples_s", ())):
        yield common | {
            "sample": place,
            "time_s": repr(seconds),
            "median_s": repr(point["median_s"]),
            "converged": _word(point["converged"]),
            "rule_met": _word(point["converged"]),
            "cold": _word(point["cold"]),
            "timer_resolution_s": repr(point.get("timer_resolution_s", 0.0)),
            "dropped": point.get("dropped", 0),
        }


def _point(rows: list[_Row]) -> Plain:
    first = rows[0]
    launch = {
        "block": _numbers(first["block"]),
        "grid": _numbers(first["grid"]),
        "shared_bytes": int(first["shared_bytes"] or 0),
    }
    samples = [float(row["time_s"]) for row in rows if row["time_s"]]
    taken = {
        "samples_s": samples,
        **said_convergence(first),
        "cold": first["cold"] == "true",
        "timer_resolution_s": float(first.get("timer_resolution_s") or 0),
        "dropped": int(first["dropped"] or 0),
    }
    return {
        "variant": first["variant"],
        "block": _numbers(first["chosen_block"]),
        "launch": launch if launch["block"] else None,
        "source": first["source"],
        "device": first["device"],
        "matches": {"true": True, "false": False}.get(first["matches"]),
        "warps_per_sm": int(first["warps_per_sm"]) if first["warps_per_sm"] else None,
        "skipped": first["skipped"],
        **(taken if samples else {}),
    }


def said_convergence(row: _Row) -> Plain:
    """Whether a row's samples converged; tables of former versions have the former key alone."""
    return {key: row[key] == "true" for key in ("converged", "rule_met") if row.get(key)}


def _extents(dim: list[int] | None) -> str:
    return "" if dim is None else ",".join(str(extent) for extent in dim)


def _numbers(text: str) -> list[int] | None:
    return [int(part) for part in text.split(",")] if text else None


def _word(value: bool | None) -> str:
    return {True: "true", False: "false", None: ""}[value]
