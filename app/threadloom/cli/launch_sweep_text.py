# SPDX-License-Identifier: MIT
"""A sweep over launches on a terminal and as JSON."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.run_text import PROVENANCE
from threadloom.model.dim3 import Dim3
from threadloom.model.pace import Pace, compare_pace
from threadloom.model.provenance import Provenance
from threadloom.model.samples import Samples
from threadloom.services.record.plain import (
    job_from_plain,
    job_to_plain,
    launch_from_plain,
    launch_to_plain,
    samples_from_plain,
    samples_to_plain,
)
from threadloom.services.request import Job, LaunchChoice, LaunchPoint, LaunchSweepResult
from threadloom.text import _, count, duration

FORMAT = "threadloom-launch-sweep"


def print_launch_sweep(result: LaunchSweepResult) -> None:
    """One row a launch; those that cannot be told from the fastest are marked as ties with it."""
    console = output()
    console.print(f"{result.job.operation}, {result.job.dtype}")
    console.print(_table(result))
    if not result.complete:
        console.print(_("! Stopped before the last launch."))
    if any(point.matches is False for point in result.points):
        console.print(_("✗ Some outputs differ from NumPy."))


def launch_sweep_document(result: LaunchSweepResult) -> dict[str, Any]:
    """Everything of it."""
    return {
        "format": FORMAT,
        "version": 1,
        "job": job_to_plain(result.job),
        "points": [_point(point) for point in result.points],
        "environment": dict(result.environment),
        "complete": result.complete,
    }


def standing(point: LaunchPoint, points: tuple[LaunchPoint, ...]) -> str:
    """``fastest``, or ``tie`` if it cannot be told from it; nothing of times that are modelled."""
    measured = (p for p in points if p.provenance is Provenance.MEASURED)
    known = [(p, p.samples) for p in measured if p.samples is not None]
    if point.samples is None or point.provenance is not Provenance.MEASURED:
        return ""
    fastest, best = min(known, key=lambda pair: pair[1].median_s)
    if point is fastest:
        return _("fastest")
    return "" if compare_pace(point.samples, best).pace is Pace.SLOWER else _("tie")


def _table(result: LaunchSweepResult) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in (_("variant"), _("block"), _("grid")):
        table.add_column(title)
    for title in (_("warps on an SM"), _("kernel"), _("spread")):
        table.add_column(title, justify="right")
    for title in ("", "", _("on")):
        table.add_column(title)
    reasons = []
    for point in result.points:
        table.add_row(*_row(point, result.points))
        if point.skipped:
            reasons.append(point.skipped)
    if reasons:
        table.caption = "\n".join(dict.fromkeys(reasons))
    return table


def _row(point: LaunchPoint, points: tuple[LaunchPoint, ...]) -> tuple[str, ...]:
    launch, samples = point.launch, point.samples
    return (
        point.choice.variant,
        "" if launch is None else launch.block.short(),
        "" if launch is None else launch.grid.short(),
        "" if point.warps_per_sm is None else count(point.warps_per_sm),
        "–" if samples is None else duration(samples.median_s),
        _spread(samples),
        standing(point, points),
        PROVENANCE[point.provenance],
        point.device,
    )


def _spread(samples: Samples | None) -> str:
    if samples is None or len(samples.seconds) < 2:
        return ""
    return f"{duration(samples.low_s)} – {duration(samples.high_s)}"


def _point(point: LaunchPoint) -> dict[str, Any]:
    return {
        "variant": point.choice.variant,
        "block": None if point.choice.block is None else list(point.choice.block),
        "launch": None if point.launch is None else launch_to_plain(point.launch),
        "source": point.provenance.value,
        "device": point.device,
        "matches": point.matches,
        "warps_per_sm": point.warps_per_sm,
        "skipped": point.skipped,
        **({} if point.samples is None else samples_to_plain(point.samples)),
    }


def launch_points(document: dict[str, Any]) -> tuple[Job, tuple[LaunchPoint, ...]]:
    """Job and points of a document again.

    Raises:
        ValueError, KeyError, TypeError: If it is no such document.
    """
    if document["format"] != FORMAT:
        raise ValueError(document["format"])
    points = tuple(_point_again(plain) for plain in document["points"])
    return job_from_plain(document["job"]), points


def _point_again(plain: dict[str, Any]) -> LaunchPoint:
    block = None if plain["block"] is None else Dim3.of(plain["block"])
    return LaunchPoint(
        choice=LaunchChoice(plain["variant"], block),
        launch=None if plain["launch"] is None else launch_from_plain(plain["launch"]),
        samples=samples_from_plain(plain) if "samples_s" in plain else None,
        provenance=Provenance(plain["source"]),
        device=plain["device"],
        matches=plain["matches"],
        warps_per_sm=plain["warps_per_sm"],
        skipped=plain["skipped"],
    )
