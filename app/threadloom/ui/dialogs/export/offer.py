# SPDX-License-Identifier: MIT
"""What there is to export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.presentation.bench.breakdown_text import breakdown_steps
from threadloom.presentation.export.page_text import Extras
from threadloom.services.export.blocks import BlocksRecord
from threadloom.services.export.breakdown import BreakdownRecord
from threadloom.services.export.document import Record
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.pages.figure_page import FigurePage
from threadloom.ui.figures.pages.figure_pages import (
    figure_page,
    launch_sweep_page,
    run_page,
    sweep_page,
)
from threadloom.ui.state.store import LaunchSweep, Over, Store, View


@dataclass(frozen=True, slots=True)
class Offer:
    """One figure."""

    key: str
    title: str
    stem: str
    """Of the files' names."""
    page: Callable[[Extras], FigurePage]
    record: Callable[[], Record] | None = None
    """The numbers for a table; None if there is none of them."""
    is_sweep: bool = False
    """Whether ranges and the break-even mark apply."""


def offers(store: Store, figure_of: Callable[[View], Figure | None]) -> list[Offer]:
    """Everything that can be exported now."""
    found = []
    if isinstance(store.sweep, SweepResult) and any(s.points for s in store.sweep.series):
        found.append(_sweep(store.sweep))
    found += [_launches(sweep) for sweep in store.launch_sweeps.values() if sweep.result.points]
    result = store.run
    if result is not None and result.timings:
        found.append(_timings(result))
    if result is None:
        return found
    breakdown = figure_of(View.TIMINGS)
    if breakdown is not None and result.timings:
        provenance = Provenance.MEASURED if result.breakdown is not None else Provenance.MODELED
        other = _other("breakdown", breakdown, result, provenance)
        found.append(
            replace(other, record=lambda: BreakdownRecord.of(result, breakdown_steps(result)))
        )
    memory, timeline = figure_of(View.MEMORY), figure_of(View.TIMELINE)
    if memory is not None and result.trace is not None:
        found.append(_other("memory", memory, result, Provenance.EMULATED))
    if timeline is not None and result.timeline is not None:
        other = _other("timeline", timeline, result, result.timeline.provenance)
        found.append(replace(other, record=lambda: BlocksRecord.of(result)))
    return found


def _sweep(result: SweepResult) -> Offer:
    return Offer(
        key="sweep",
        title=_("Size sweep"),
        stem=f"{result.job.operation}_{result.job.variant}_sweep",
        page=lambda extras: sweep_page(result, extras),
        record=lambda: result,
        is_sweep=True,
    )


def _launches(sweep: LaunchSweep) -> Offer:
    result = sweep.result
    figure = LaunchSweepFigure(result)
    blocks = sweep.over is Over.BLOCK
    return Offer(
        key="blocks" if blocks else "variants",
        title=_("Block sweep") if blocks else _("Variant sweep"),
        stem=figure.name,
        page=lambda extras: launch_sweep_page(result, extras),
        record=lambda: result,
    )


def _timings(result: Run) -> Offer:
    return Offer(
        key="timings",
        title=_("Timings of the last run"),
        stem=f"{result.job.operation}_{result.job.variant}_timings",
        page=lambda extras: run_page(result, extras),
        record=lambda: TimingsRecord.of(result),
    )


def _other(key: str, figure: Figure, result: Run, provenance: Provenance) -> Offer:
    return Offer(
        key=key,
        title=figure.title,
        stem=f"{result.job.operation}_{result.job.variant}_{key}",
        page=lambda extras: figure_page(figure, result, provenance, extras),
    )
