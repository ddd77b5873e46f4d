# SPDX-License-Identifier: MIT
"""A sweep over sizes as a table, and what there is to say of each series."""

from __future__ import annotations

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Point, Series
from threadloom.presentation.bench.time_text import sweep_convergence_words, time_words
from threadloom.presentation.provenance_text import provenance_words
from threadloom.presentation.text_table import TextRow, TextTable, numeric_columns
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _, count


def sweep_title(result: SweepResult) -> str:
    """Kernel, type and launch."""
    text = _("{kernel}, {dtype}, {launch}")
    kernel = f"{result.job.operation}/{result.job.variant}"
    return text.format(kernel=kernel, dtype=result.job.dtype, launch=result.launch_text)


def sweep_table(result: SweepResult) -> TextTable:
    """Medians by size, one column a series; a tilde after one that did not converge."""
    columns = [{point.size: point for point in series.points} for series in result.series]
    rows = [
        TextRow((count(size), *(_cell(column.get(size)) for column in columns)))
        for size in sorted(set().union(*columns))
    ]
    reasons = [
        str(point.skipped) for column in columns for point in column.values() if point.skipped
    ]
    titles = (str(result.axis), *(str(series.label) for series in result.series))
    return TextTable(numeric_columns(*titles), tuple(rows), tuple(dict.fromkeys(reasons)))


def series_text(series: Series) -> str:
    """Where the figures of a series come from, and what was timed."""
    text = _("{label}: {provenance}, {scope}, {device}")
    return text.format(
        label=series.label,
        provenance=provenance_words(series.provenance),
        scope=series.baseline,
        device=series.device,
    )


def convergence_text(series: Series) -> str:
    """At how many points the median converged; empty for a series without measured samples."""
    taken = [point.samples for point in series.points if point.samples is not None]
    if series.provenance is not Provenance.MEASURED or not taken:
        return ""
    text = sweep_convergence_words(taken)
    if all(one.converged for one in taken):
        return _("Medians {words}.").format(words=text)
    return _("Medians {words}; ~ marks the others.").format(words=text)


def _cell(point: Point | None) -> str:
    """Median; a dash for what was left out, or not reached before a sweep was stopped."""
    if point is None or point.samples is None:
        return "–"
    return time_words(point.samples) + ("" if point.samples.converged else " ~")
