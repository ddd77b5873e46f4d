# SPDX-License-Identifier: MIT
"""An observed run on a terminal."""

from __future__ import annotations

from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.findings_text import print_findings
from threadloom.cli.run_text import headline
from threadloom.model.trace import Trace
from threadloom.services.request import RunResult
from threadloom.text import _, count


def print_trace(result: RunResult) -> None:
    """Coverage by array, counters by line, and findings."""
    console = output()
    console.print(headline(result))
    if result.trace is not None:
        console.print(_coverage(result.trace))
        console.print(_sites(result.trace))
    print_findings(console, result.findings)


def _coverage(trace: Trace) -> Table:
    table = _table(_("Array"), _("elements"), _("written"), _("never"), _("by several"))
    for name, seen in trace.coverage.items():
        figures = (seen.elements, seen.written, seen.uncovered, seen.multi_writer)
        table.add_row(name, *(count(figure) for figure in figures))
    return table


def _sites(trace: Trace) -> Table:
    table = _table(
        _("Line"), _("requests"), _("sectors"), _("ideal"), _("bank conflicts"), _("lanes")
    )
    for site in trace.sites:
        figures = (site.requests, site.sectors, site.ideal_sectors, site.bank_conflicts)
        lanes = f"{site.active_lanes / site.requests:.3g}" if site.requests else "–"
        name = f"{site.line} {site.kind.value} {site.array} ({site.space.value})"
        table.add_row(name, *(count(figure) for figure in figures), lanes)
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first)
    for title in others:
        table.add_column(title, justify="right")
    return table
