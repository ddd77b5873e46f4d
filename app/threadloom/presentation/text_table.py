# SPDX-License-Identifier: MIT
"""A table of texts: whoever shows it draws the lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column."""

    title: str = ""
    numeric: bool = False
    """Whether its cells stand at the right."""
    wraps: bool = True


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row: a cell for each column, or one title of the rows that follow."""

    cells: tuple[str, ...]
    is_title: bool = False


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns, rows, and sentences that belong below them."""

    columns: tuple[TextColumn, ...]
    rows: tuple[TextRow, ...]
    notes: tuple[str, ...] = ()


def numeric_columns(*titles: str) -> tuple[TextColumn, ...]:
    """Columns of numbers with these titles."""
    return tuple(TextColumn(title, numeric=True) for title in titles)
