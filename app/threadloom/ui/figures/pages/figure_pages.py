# SPDX-License-Identifier: MIT
"""Sheets of what can be exported, by the figure's key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.presentation.figures.caption import (
    figure_caption,
    launch_sweep_caption,
    run_caption,
    sweep_caption,
)
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _, count
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.figures.curve import curves
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.pages.figure_page import Entry, Sheet
from threadloom.ui.figures.sweep import SweepFigure, label_of
from threadloom_kernels import discover

_EQUALS = "\u00a0=\u00a0"
"""Keeps a name and its value on one line."""


@dataclass(frozen=True, slots=True)
class Extras:
    """What a user wants on the page beside the figure."""

    title: bool = True
    """Title of the page and labels of the axes."""
    spread: bool = True
    break_even: bool = True
    caption: bool = True
    transparent: bool = False


def sweep_sheet(result: SweepResult, extras: Extras) -> Sheet:
    """A sweep with its legend."""
    figure = SweepFigure(
        result,
        spread=extras.spread,
        break_even=extras.break_even,
        axis_labels=extras.title,
        end_labels=False,
    )
    shown = curves(result.series)
    sheet = Sheet(
        figure,
        heading=sweep_heading(result),
        caption=sweep_caption(result),
        legend=tuple(Entry(curve.style, label_of(curve), curve.provenance) for curve in shown),
    )
    return trimmed(sheet, extras)


def launch_sweep_sheet(result: LaunchSweepResult, extras: Extras) -> Sheet:
    """A sweep over launches, as a curve, a heat map or bars."""
    figure = LaunchSweepFigure(result, variant_titles(result.job.operation))
    heading = launch_sweep_heading(result, figure)
    caption = (figure.sentence, *launch_sweep_caption(result))
    return trimmed(Sheet(figure, heading=heading, caption=caption), extras)


def run_sheet(result: Run, extras: Extras) -> Sheet:
    """The bars of a run."""
    figure = BarsFigure(result.timings, "")
    caption = run_caption(result)
    return trimmed(Sheet(figure, heading=run_heading(result), caption=caption), extras)


def trimmed(sheet: Sheet, extras: Extras) -> Sheet:
    """Without what is not wanted."""
    return replace(
        sheet,
        heading=sheet.heading if extras.title else "",
        caption=sheet.caption if extras.caption else (),
        transparent=extras.transparent,
    )


def figure_sheet(figure: Figure, result: Run, provenance: Provenance, extras: Extras) -> Sheet:
    """Any other figure of a run."""
    heading = run_heading(result)
    caption = figure_caption(result, provenance)
    return trimmed(Sheet(figure, heading=heading, caption=caption), extras)


def sweep_heading(result: SweepResult) -> str:
    """Such as "Matrix multiply, tiled, float32"."""
    job = result.job
    return _("{kernel}, {dtype}").format(
        kernel=_kernel(job.operation, job.variant), dtype=job.dtype
    )


def launch_sweep_heading(result: LaunchSweepResult, figure: LaunchSweepFigure) -> str:
    """Such as "Matrix multiply, tiled, float32, m = n = k = 512: block shapes"."""
    job = result.job
    found = discover(None).get(job.operation)
    name = _(found.title) if found is not None else job.operation
    kernel = name if figure.over_variants else _kernel(job.operation, job.variant)
    text = _("{kernel}, {dtype}, {sizes}: {what}")
    sizes, what = _sizes_words(job.sizes), figure.title[:1].lower() + figure.title[1:]
    return text.format(kernel=kernel, dtype=job.dtype, sizes=sizes, what=what)


def variant_titles(operation: str) -> dict[str, str]:
    """Titles of an operation's variants by name, of those that ship with the program."""
    found = discover(None).get(operation)
    return {} if found is None else {one.name: _(one.title) for one in found.variants}


def run_heading(result: Run) -> str:
    """Kernel, type and sizes of a run."""
    job = result.job
    text = _("{kernel}, {dtype}, {sizes}")
    kernel, sizes = _kernel(job.operation, job.variant), _sizes_words(job.sizes)
    return text.format(kernel=kernel, dtype=job.dtype, sizes=sizes)


def _sizes_words(sizes: Mapping[str, int]) -> str:
    """Such as "m = n = k = 512" or "rows = 3, cols = 4"."""
    extents = set(sizes.values())
    if len(extents) == 1:
        return _EQUALS.join([*sizes, count(extents.pop())])
    return ", ".join(f"{name}{_EQUALS}{count(size)}" for name, size in sizes.items())


def _kernel(operation: str, variant: str) -> str:
    """Titles of a kernel, or its names if it is none of those that ship with the program."""
    found: Operation | None = discover(None).get(operation)
    if found is None:
        return f"{operation}, {variant}"
    titles = [_(one.title) for one in found.variants if one.name == variant]
    text = _("{operation}, {variant}")
    return text.format(operation=_(found.title), variant=(titles or [variant])[0])
