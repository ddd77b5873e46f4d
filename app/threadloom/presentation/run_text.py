# SPDX-License-Identifier: MIT
"""A run in words: what was launched, and its times as a table."""

from __future__ import annotations

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.presentation.bench.launch_sweep_table import range_text
from threadloom.presentation.bench.time_text import time_words
from threadloom.presentation.provenance_text import provenance_words
from threadloom.presentation.text_table import TextColumn, TextRow, TextTable, numeric_columns
from threadloom.text import _, count


def headline(result: Run) -> str:
    """Such as ``vector_add/grid <<<(3907), (256)>>> on the emulator, limits of RTX 4090``."""
    launch, sizes = result.launch, result.job.sizes
    extents = ", ".join(f"{axis} = {count(size)}" for axis, size in sizes.items())
    text = (
        _("{kernel} <<<({grid}), ({block})>>>, {sizes}, on {device}")
        if result.device.provenance is Provenance.MEASURED
        else _("{kernel} <<<({grid}), ({block})>>>, {sizes}, emulated, limits of {device}")
    )
    return text.format(
        kernel=f"{result.job.operation}/{result.job.variant}",
        grid=launch.grid.short(),
        block=launch.block.short(),
        sizes=extents,
        device=result.device.name,
    )


def times_table(result: Run) -> TextTable:
    """One row a timing: median, range, and where it comes from."""
    columns = (
        TextColumn(_("Timing")),
        *numeric_columns(_("median"), _("range")),
        TextColumn(),
        TextColumn(_("measured on")),
    )
    rows = [
        TextRow(
            (
                str(timing.label),
                time_words(timing.samples),
                range_text(timing.samples),
                provenance_words(timing.provenance),
                timing.device,
            )
        )
        for timing in result.timings
    ]
    return TextTable(columns, tuple(rows))
