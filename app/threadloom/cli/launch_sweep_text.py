# SPDX-License-Identifier: MIT
"""A sweep over launches on a terminal."""

from __future__ import annotations

from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.run_text import PROVENANCE
from threadloom.model.timing.samples import Samples
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint, LaunchSweepResult
from threadloom.text import _, count, duration


def print_launch_sweep(result: LaunchSweepResult) -> None:
    """One row a launch; those that cannot be told from the fastest are marked as ties with it."""
    console = output()
    console.print(f"{result.job.operation}, {result.job.dtype}")
    console.print(_table(result))
    if not result.complete:
        console.print(_("! Stopped before the last launch."))
    if any(point.matches is False for point in result.points):
        console.print(_("✗ Some outputs differ from NumPy."))


def rank_text_line(point: LaunchPoint, points: tuple[LaunchPoint, ...]) -> str:
    """``fastest``, or ``tie`` if it cannot be told from it; nothing of times that are modeled."""
    words = {Rank.FASTEST: _("fastest"), Rank.TIE: _("tie")}
    return words.get(rank(point, points), "")


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
        table.caption = "\n".join(dict.fromkeys(map(str, reasons)))
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
        rank_text_line(point, points),
        "" if samples is None else PROVENANCE[point.provenance],
        point.device,
    )


def _spread(samples: Samples | None) -> str:
    if samples is None or len(samples.seconds) < 2:
        return ""
    return f"{duration(samples.min_s)} – {duration(samples.max_s)}"
