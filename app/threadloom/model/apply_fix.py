# SPDX-License-Identifier: MIT
"""What was chosen, with a fix applied."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Edit, Fix
from threadloom.text import _


class EditError(ValueError):
    """An edit speaks of a place that the source does not have."""


class Choices(Protocol):
    """A frozen dataclass of choices: a job, or a workspace.

    One that has a field ``grid_follows_size`` keeps its grid beside it; in one that has not, the
    grid None means that it follows the size.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def variant(self) -> str:
        """Name of the variant."""
        ...

    @property
    def sizes(self) -> Mapping[str, int]:
        """Extent of each axis."""
        ...

    @property
    def source(self) -> str | None:
        """Edited source, None while it is the variant's own."""
        ...


C = TypeVar("C", bound=Choices)


def apply_fix(choices: C, fix: Fix, source: str = "") -> C:
    """Change what the fix names and keep the rest.

    Args:
        choices: What was chosen.
        fix: What to change. Another variant brings its own source along.
        source: The text in use, for a fix that edits it while ``choices`` hold no source.

    Raises:
        EditError: If the fix edits a place that the source does not have.
    """
    fields = {field.name for field in dataclasses.fields(choices)}
    changes: dict[str, object] = {}
    if fix.variant is not None and fix.variant != choices.variant:
        changes |= {"variant": fix.variant, "source": None, "entry": None, "source_file": None}
    if fix.sizes is not None:
        changes["sizes"] = {**choices.sizes, **fix.sizes}
    if fix.block is not None:
        changes["block"] = fix.block
    if fix.shared_bytes is not None:
        changes["shared_bytes"] = fix.shared_bytes
    if fix.edit is not None:
        text = choices.source if choices.source is not None else source
        changes["source"] = apply_edit(text, fix.edit)
    changes |= _grid(fix, keeps_both="grid_follows_size" in fields)
    return dataclasses.replace(choices, **{k: v for k, v in changes.items() if k in fields})


def _grid(fix: Fix, *, keeps_both: bool) -> dict[str, Dim3 | bool | None]:
    """A grid that is given stays as it is, unless the fix says that it follows the size."""
    follows = fix.grid_follows_size
    if fix.grid is None and follows is None:
        return {}
    if not keeps_both:
        return {"grid": None if follows else fix.grid} if follows or fix.grid else {}
    grid = {} if fix.grid is None else {"grid": fix.grid}
    return {**grid, "grid_follows_size": bool(follows)}


def apply_edit(text: str, edit: Edit) -> str:
    """Replace the stretch that an edit names.

    Raises:
        EditError: If the text has no such stretch.
    """
    lines = text.split("\n")
    start = _offset(lines, edit.line, edit.column)
    end = _offset(lines, edit.end_line, edit.end_column)
    if end < start:
        raise EditError(_("The end of the edit is before its start."))
    return text[:start] + edit.text + text[end:]


def _offset(lines: list[str], line: int, column: int) -> int:
    if not 1 <= line <= len(lines) or not 1 <= column <= len(lines[line - 1]) + 1:
        text = _("The source has no line {line}, column {column}: it has changed.")
        raise EditError(text.format(line=line, column=column))
    return sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
