# SPDX-License-Identifier: MIT
"""What an observed run shows, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from threadloom.model.totals import Total, totals
from threadloom.model.trace import Atomics, Site, Trace
from threadloom.presentation.text_table import TextColumn, TextRow, TextTable, numeric_columns
from threadloom.text import _, count, decimal_bytes, factor, percent, significant

_NONE = "–"


def trace_tables(trace: Trace) -> tuple[TextTable, ...]:
    """Coverage by array, counters by line and in all, branches, atomics by address."""
    tables = [_coverage(trace), _sites(trace), _totals(trace)]
    if trace.branches:
        tables.append(_branches(trace))
    if any(site.atomics for site in trace.sites):
        tables.append(_atomics(trace))
    return tuple(tables)


def _coverage(trace: Trace) -> TextTable:
    titles = (_("Array"), _("elements"), _("written"), _("not written"), _("multiple writers"))
    rows = []
    for name, seen in trace.coverage.items():
        figures = (seen.elements, seen.written, seen.uncovered, seen.multi_writer)
        rows.append((name, *(count(figure) for figure in figures)))
    return _table(titles, rows)


def _sites(trace: Trace) -> TextTable:
    titles = (_("Line"), *_counters(), _("lanes"), _("reuse"))
    rows = []
    for site in trace.sites:
        name = f"{site.line} {site.kind.value} {site.array} ({site.space.value})"
        lanes = significant(site.active_lanes / site.requests) if site.requests else _NONE
        rows.append((name, *_counted(site), lanes, _reuse(site)))
    return _table(titles, rows)


def _totals(trace: Trace) -> TextTable:
    titles = (_("Total"), *_counters(), _("bytes"), _("reuse"))
    rows = []
    for total in totals(trace):
        array = _("{space} memory") if total.array is None else _("{array} ({space})")
        name = array.format(space=total.space.value, array=total.array or _("multiple arrays"))
        distinct = _NONE if total.distinct_bytes is None else decimal_bytes(total.distinct_bytes)
        rows.append((name, *_counted(total), distinct, _reuse(total)))
    return _table(titles, rows)


def _counters() -> tuple[str, ...]:
    return _("requests"), _("sectors"), _("ideal"), _("conflicts")


def _counted(seen: Site | Total) -> list[str]:
    figures = (seen.requests, seen.sectors, seen.ideal_sectors, seen.bank_conflicts)
    return [count(figure) for figure in figures]


def _reuse(seen: Site | Total) -> str:
    return _NONE if seen.reuse is None else factor(seen.reuse)


def _atomics(trace: Trace) -> TextTable:
    titles = (
        _("Atomics"),
        _("addresses"),
        _("max"),
        _("address"),
        _("contended"),
    )
    rows = []
    for site in trace.sites:
        if (atomics := site.atomics) is None:
            continue
        name = f"{site.line} {site.array} ({site.space.value})"
        figures = (_known(atomics.addresses), _known(atomics.most))
        rows.append((name, *figures, _which(atomics), count(atomics.meeting)))
    return _table(titles, rows)


def _which(atomics: Atomics) -> str:
    if not atomics.most:
        return _NONE
    place = f"{atomics.array}[{count(atomics.index)}]"
    if atomics.block is None:
        return place
    return _("{place} of block {block}").format(place=place, block=count(atomics.block))


def _branches(trace: Trace) -> TextTable:
    titles = (_("Branch"), _("executions"), _("divergent"), _("uniform"))
    rows = []
    for branch in trace.branches:
        figures = (count(branch.executed), count(branch.diverged), percent(branch.efficiency, 3))
        rows.append((str(branch.line), *figures))
    return _table(titles, rows)


def _known(figure: int | None) -> str:
    return _NONE if figure is None else count(figure)


def _table(titles: Sequence[str], rows: Sequence[tuple[str, ...]]) -> TextTable:
    columns = (TextColumn(titles[0], wraps=False), *numeric_columns(*titles[1:]))
    return TextTable(columns, tuple(TextRow(cells) for cells in rows))
