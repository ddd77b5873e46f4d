# SPDX-License-Identifier: MIT
"""Results on a terminal; the words are those of the window."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.findings_output import print_device_output, print_findings
from threadloom.model.run import Run
from threadloom.presentation.access.trace_tables import trace_tables
from threadloom.presentation.bench.break_even_text import break_even_sentences
from threadloom.presentation.bench.breakdown_text import breakdown_table, to_cuda_text
from threadloom.presentation.bench.gpu_state import gpu_state_line
from threadloom.presentation.bench.launch_sweep_table import (
    launch_sweep_table,
    launch_sweep_title,
)
from threadloom.presentation.bench.sweep_table import (
    convergence_text,
    series_text,
    sweep_table,
    sweep_title,
)
from threadloom.presentation.run_text import headline, times_table
from threadloom.presentation.text_table import TextTable
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _


def print_run(result: Run, *, breakdown: bool = False) -> None:
    """Launch, times and findings; with ``breakdown`` every step of the end-to-end time."""
    console = output()
    console.print(headline(result))
    if result.timings:
        console.print(rich_table(times_table(result)))
    if breakdown and result.launched:
        console.print(rich_table(breakdown_table(result)))
        if words := to_cuda_text(result):
            console.print(words)
    _print_findings(console, result)


def print_trace(result: Run) -> None:
    """What was observed, as tables, and the findings."""
    console = output()
    console.print(headline(result))
    if result.trace is not None:
        for table in trace_tables(result.trace):
            console.print(rich_table(table))
    _print_findings(console, result)


def print_sweep(result: SweepResult) -> None:
    """Medians by size, one column a series, and where the GPU gets ahead."""
    console = output()
    console.print(sweep_title(result))
    console.print(rich_table(sweep_table(result)))
    for series in result.series:
        console.print(f"  {series_text(series)}")
        if convergence := convergence_text(series):
            console.print(f"    {convergence}")
        if state := gpu_state_line(series):
            console.print(f"    {state}")
    for sentence in break_even_sentences(result):
        console.print(sentence)
    if result.all_match is False:
        console.print(_("✗ Some outputs differ from NumPy."))
    if not result.complete:
        console.print(_("! Interrupted before the last size."))


def print_launch_sweep(result: LaunchSweepResult) -> None:
    """One row a launch, with its rank."""
    console = output()
    console.print(launch_sweep_title(result))
    console.print(rich_table(launch_sweep_table(result)))
    if not result.complete:
        console.print(_("! Interrupted before the last launch."))
    if any(point.matches is False for point in result.points):
        console.print(_("✗ Some outputs differ from NumPy."))


def rich_table(table: TextTable) -> Table:
    """The table as Rich lays it out: numbers at the right, titles of groups dim."""
    shown = Table(box=None, pad_edge=False, caption=_lines(table.notes))
    for column in table.columns:
        shown.add_column(
            column.title,
            justify="right" if column.numeric else "left",
            no_wrap=not column.wraps,
        )
    for row in table.rows:
        shown.add_row(*row.cells, style="dim" if row.is_title else None)
    return shown


def _lines(notes: Iterable[str]) -> str | None:
    return "\n".join(notes) or None


def _print_findings(console: Console, result: Run) -> None:
    print_findings(console, result.findings)
    if result.trace is not None:
        print_device_output(console, result.trace.printed)
