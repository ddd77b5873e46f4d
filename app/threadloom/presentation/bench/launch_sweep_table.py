# SPDX-License-Identifier: MIT
"""A sweep over launches as a table."""

from __future__ import annotations

from threadloom.model.timing.samples import Samples
from threadloom.presentation.figures.launch_text import rank_text
from threadloom.presentation.provenance_text import provenance_words
from threadloom.presentation.text_table import TextColumn, TextRow, TextTable, numeric_columns
from threadloom.services.messages.launch_sweep import LaunchPoint, LaunchSweepResult
from threadloom.text import _, count, duration


def launch_sweep_title(result: LaunchSweepResult) -> str:
    """Operation and type."""
    text = _("{operation}, {dtype}")
    return text.format(operation=result.job.operation, dtype=result.job.dtype)


def launch_sweep_table(result: LaunchSweepResult) -> TextTable:
    """One row a launch; those that cannot be told from the fastest are marked as ties with it."""
    columns = (
        *(TextColumn(title) for title in (_("variant"), _("block"), _("grid"))),
        *numeric_columns(_("warps per SM"), _("kernel"), _("range")),
        *(TextColumn(title) for title in ("", "", _("measured on"))),
    )
    rows = tuple(TextRow(_cells(point, result.points)) for point in result.points)
    reasons = [str(point.skipped) for point in result.points if point.skipped]
    return TextTable(columns, rows, tuple(dict.fromkeys(reasons)))


def _cells(point: LaunchPoint, points: tuple[LaunchPoint, ...]) -> tuple[str, ...]:
    launch, samples = point.launch, point.samples
    return (
        point.choice.variant,
        "" if launch is None else launch.block.short(),
        "" if launch is None else launch.grid.short(),
        "" if point.warps_per_sm is None else count(point.warps_per_sm),
        "–" if samples is None else duration(samples.median_s),
        range_text(samples),
        rank_text(point, points),
        "" if samples is None else provenance_words(point.provenance),
        point.device,
    )


def range_text(samples: Samples | None) -> str:
    """The shortest and the longest sample; empty for a single one."""
    if samples is None or len(samples.seconds) < 2:
        return ""
    return f"{duration(samples.min_s)} – {duration(samples.max_s)}"
