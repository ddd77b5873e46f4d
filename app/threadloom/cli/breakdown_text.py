# SPDX-License-Identifier: MIT
"""The way of a problem through a GPU on a terminal."""

from __future__ import annotations

from itertools import groupby

from rich.table import Table

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.services.bench.breakdown import Step, part_title, steps
from threadloom.text import N_, _, duration

_WORDS = {
    Provenance.MEASURED: N_("measured"),
    Provenance.MODELED: N_("modeled"),
    Provenance.EMULATED: N_("emulated"),
}


def breakdown_table(result: Run) -> Table:
    """One row a step, in the order in which they happen; a dash where a step is not known."""
    table = Table(box=None, pad_edge=False)
    table.add_column(_("Step"), no_wrap=True)
    table.add_column(_("median"), justify="right")
    table.add_column("")
    table.add_column("")
    for part, found in groupby(steps(result), key=lambda step: step.part):
        table.add_row(part_title(part), style="dim")
        for step in found:
            table.add_row(*_row(step))
    return table


def _row(step: Step) -> tuple[str, ...]:
    time = "–" if step.samples is None else duration(step.samples.median_s)
    origin = "" if step.provenance is None else _(_WORDS[step.provenance])
    return (f"  {step.title}", time, step.note, origin)
