# SPDX-License-Identifier: MIT
"""A run on a terminal."""

from __future__ import annotations

from rich.table import Table

from threadloom.cli.breakdown_text import breakdown_table
from threadloom.cli.console import output
from threadloom.cli.findings_text import print_findings, print_printed
from threadloom.model.provenance import Provenance
from threadloom.services.bench.breakdown import to_cuda_words
from threadloom.services.bench.time_text import time_words
from threadloom.services.messages.run import RunResult
from threadloom.text import _, count, duration

PROVENANCE = {
    Provenance.MEASURED: _("measured"),
    Provenance.MODELED: _("modeled"),
    Provenance.EMULATED: _("emulated"),
}


def print_run(result: RunResult, *, way: bool = False) -> None:
    """Launch, times and findings; with ``way`` every step of the way through a GPU."""
    console = output()
    console.print(headline(result))
    if result.timings:
        console.print(_times(result))
    if way and result.launched:
        console.print(breakdown_table(result))
        if words := to_cuda_words(result):
            console.print(words)
    print_findings(console, result.findings)
    if result.trace is not None:
        print_printed(console, result.trace.printed)


def headline(result: RunResult) -> str:
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


def _times(result: RunResult) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(_("Time of"))
    table.add_column(_("median"), justify="right")
    table.add_column(_("range"), justify="right")
    table.add_column("")
    table.add_column(_("on"))
    for timing in result.timings:
        samples = timing.samples
        span = f"{duration(samples.min_s)} – {duration(samples.max_s)}"
        table.add_row(
            str(timing.label),
            time_words(samples),
            span if len(samples.seconds) > 1 else "",
            PROVENANCE[timing.provenance],
            timing.device,
        )
    return table
