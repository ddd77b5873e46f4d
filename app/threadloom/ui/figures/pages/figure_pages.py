# SPDX-License-Identifier: MIT
"""Pages of what can be exported, by the figure's key."""

from __future__ import annotations

from dataclasses import replace

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.presentation.export.page_text import (
    Extras,
    _kernel,
    _sizes_words,
    run_heading,
    sweep_heading,
    variant_titles,
)
from threadloom.presentation.figures.caption import (
    figure_caption,
    launch_sweep_caption,
    run_caption,
    sweep_caption,
)
from threadloom.presentation.figures.curve import curves
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.pages.figure_page import Entry, FigurePage
from threadloom.ui.figures.sweep import SweepFigure, label_of
from threadloom_kernels import discover


def sweep_page(result: SweepResult, extras: Extras) -> FigurePage:
    """A sweep with its legend."""
    figure = SweepFigure(
        result,
        spread=extras.spread,
        break_even=extras.break_even,
        axis_labels=extras.title,
        end_labels=False,
    )
    shown = curves(result.series)
    page = FigurePage(
        figure,
        heading=sweep_heading(result),
        caption=sweep_caption(result),
        legend=tuple(Entry(curve.style, label_of(curve), curve.provenance) for curve in shown),
    )
    return trimmed(page, extras)


def launch_sweep_page(result: LaunchSweepResult, extras: Extras) -> FigurePage:
    """A sweep over launches, as a curve, a heat map or bars."""
    figure = LaunchSweepFigure(result, variant_titles(result.job.operation))
    heading = launch_sweep_heading(result, figure)
    caption = (figure.sentence, *launch_sweep_caption(result))
    return trimmed(FigurePage(figure, heading=heading, caption=caption), extras)


def run_page(result: Run, extras: Extras) -> FigurePage:
    """The bars of a run."""
    figure = BarsFigure(result.timings, "")
    caption = run_caption(result)
    return trimmed(FigurePage(figure, heading=run_heading(result), caption=caption), extras)


def trimmed(page: FigurePage, extras: Extras) -> FigurePage:
    """Without what is not wanted."""
    return replace(
        page,
        heading=page.heading if extras.title else "",
        caption=page.caption if extras.caption else (),
        transparent=extras.transparent,
    )


def figure_page(figure: Figure, result: Run, provenance: Provenance, extras: Extras) -> FigurePage:
    """Any other figure of a run."""
    heading = run_heading(result)
    caption = figure_caption(result, provenance)
    return trimmed(FigurePage(figure, heading=heading, caption=caption), extras)


def launch_sweep_heading(result: LaunchSweepResult, figure: LaunchSweepFigure) -> str:
    """Such as "Matrix multiply, tiled, float32, m = n = k = 512: block shapes"."""
    job = result.job
    found = discover(None).get(job.operation)
    name = _(found.title) if found is not None else job.operation
    kernel = name if figure.over_variants else _kernel(job.operation, job.variant)
    text = _("{kernel}, {dtype}, {sizes}: {what}")
    sizes, what = _sizes_words(job.sizes), figure.title[:1].lower() + figure.title[1:]
    return text.format(kernel=kernel, dtype=job.dtype, sizes=sizes, what=what)
