# SPDX-License-Identifier: MIT
"""Sheets of what can be exported, by the figure's key."""

from __future__ import annotations

from dataclasses import dataclass, replace

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.services.request import RunResult, SweepResult
from threadloom.text import _, count
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.figures.caption import figure_caption, run_caption, sweep_caption
from threadloom.ui.figures.curve import curves
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.sheet import Entry, Sheet
from threadloom.ui.figures.sweep import SweepFigure, label_of
from threadloom_kernels import discover


@dataclass(frozen=True, slots=True)
class Extras:
    """What a person wants on the page beside the figure."""

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


def run_sheet(result: RunResult, extras: Extras) -> Sheet:
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


def figure_sheet(
    figure: Figure, result: RunResult, provenance: Provenance, extras: Extras
) -> Sheet:
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


def run_heading(result: RunResult) -> str:
    """Kernel, type and sizes of a run."""
    job = result.job
    extents = set(job.sizes.values())
    if len(extents) == 1:
        sizes = " = ".join([*job.sizes, count(extents.pop())])
    else:
        sizes = ", ".join(f"{name} = {count(size)}" for name, size in job.sizes.items())
    text = _("{kernel}, {dtype}, {sizes}")
    return text.format(kernel=_kernel(job.operation, job.variant), dtype=job.dtype, sizes=sizes)


def _kernel(operation: str, variant: str) -> str:
    """Titles of a kernel, or its names if it is none of those that ship with the program."""
    found: Operation | None = discover(None).get(operation)
    if found is None:
        return f"{operation}, {variant}"
    titles = [_(one.title) for one in found.variants if one.name == variant]
    text = _("{operation}, {variant}")
    return text.format(operation=_(found.title), variant=(titles or [variant])[0])
