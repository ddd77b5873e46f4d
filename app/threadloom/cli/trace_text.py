# SPDX-License-Identifier: MIT
"""An observed run on a terminal."""

from __future__ import annotations

from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.findings_text import print_findings, print_printed
from threadloom.cli.run_text import headline
from threadloom.model.run import Run
from threadloom.model.totals import Total, totals
from threadloom.model.trace import Atomics, Site, Trace
from threadloom.text import _, count, decimal_bytes, factor, percent, significant

_NONE = "–"


def print_trace(result: Run) -> None:
    """Coverage by array, counters by line and in all, branches, atomics by address, findings."""
    console = output()
    console.print(headline(result))
    if result.trace is not None:
        console.print(_coverage(result.trace))
        console.print(_sites(result.trace))
        console.print(_totals(result.trace))
        if result.trace.branches:
            console.print(_branches(result.trace))
        if any(site.atomics for site in result.trace.sites):
            console.print(_atomics(result.trace))
    print_findings(console, result.findings)
    if result.trace is not None:
        print_printed(console, result.trace.printed)


def _coverage(trace: Trace) -> Table:
    table = _table(_("Array"), _("elements"), _("written"), _("never"), _("by several"))
    for name, seen in trace.coverage.items():
        figures = (seen.elements, seen.written, seen.uncovered, seen.multi_writer)
        table.add_row(name, *(count(figure) for figure in figures))
    return table


def _sites(trace: Trace) -> Table:
    table = _table(_("Line"), *_counters(), _("lanes"), _("reuse"))
    for site in trace.sites:
        name = f"{site.line} {site.kind.value} {site.array} ({site.space.value})"
        lanes = significant(site.active_lanes / site.requests) if site.requests else _NONE
        table.add_row(name, *_counted(site), lanes, _reuse(site))
    return table


def _totals(trace: Trace) -> Table:
    table = _table(_("In all"), *_counters(), _("bytes"), _("reuse"))
    for total in totals(trace):
        array = _("{space} memory") if total.array is None else _("{array} ({space})")
        name = array.format(space=total.space.value, array=total.array or _("several"))
        distinct = _NONE if total.distinct_bytes is None else decimal_bytes(total.distinct_bytes)
        table.add_row(name, *_counted(total), distinct, _reuse(total))
    return table


def _counters() -> tuple[str, ...]:
    return _("requests"), _("sectors"), _("ideal"), _("conflicts")


def _counted(seen: Site | Total) -> list[str]:
    figures = (seen.requests, seen.sectors, seen.ideal_sectors, seen.bank_conflicts)
    return [count(figure) for figure in figures]


def _reuse(seen: Site | Total) -> str:
    return _NONE if seen.reuse is None else factor(seen.reuse)


def _atomics(trace: Trace) -> Table:
    table = _table(_("Atomics"), _("addresses"), _("most on one"), _("which"), _("lanes that meet"))
    for site in trace.sites:
        if (atomics := site.atomics) is None:
            continue
        name = f"{site.line} {site.array} ({site.space.value})"
        figures = (_known(atomics.addresses), _known(atomics.most))
        table.add_row(name, *figures, _which(atomics), count(atomics.meeting))
    return table


def _which(atomics: Atomics) -> str:
    if not atomics.most:
        return _NONE
    place = f"{atomics.array}[{count(atomics.index)}]"
    if atomics.block is None:
        return place
    return _("{place} of block {block}").format(place=place, block=count(atomics.block))


def _branches(trace: Trace) -> Table:
    table = _table(_("Branch"), _("times"), _("parted"), _("together"))
    for branch in trace.branches:
        figures = (count(branch.executed), count(branch.diverged), percent(branch.efficiency, 3))
        table.add_row(str(branch.line), *figures)
    return table


def _known(figure: int | None) -> str:
    return _NONE if figure is None else count(figure)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first, no_wrap=True)
    for title in others:
        table.add_column(title, justify="right")
    return table
