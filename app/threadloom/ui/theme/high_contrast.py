# SPDX-License-Identifier: MIT
"""Stronger lines where the system asks for a high contrast. Qt tells from 6.10 on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QStyleHints
from shiboken6 import isValid

from threadloom.ui.theme.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibilityHints


def contrasted(theme: Theme) -> Theme:
    """The theme with every line as strong as those around fields."""
    strong = theme.colors["border-control"]
    lines = {"border-subtle": strong, "border-strong": strong}
    return Theme(theme.name, {**theme.colors, **lines})


def wants_contrast(hints: QStyleHints) -> bool:
    """Whether the system asks for a high contrast; false where that cannot be told."""
    told = _accessibility(hints)
    return told is not None and told.contrastPreference() is Qt.ContrastPreference.HighContrast


def on_contrast_changed(hints: QStyleHints, slot: Callable[[object], None]) -> None:
    """Call a slot whenever the system asks for another contrast."""
    told = _accessibility(hints)
    if told is not None:
        told.contrastPreferenceChanged.connect(slot)


def _accessibility(hints: QStyleHints) -> QAccessibilityHints | None:
    if not hasattr(hints, "accessibility"):
        return None
    told = hints.accessibility()
    # WORKAROUND: once an earlier wrapper of the hints is gone, PySide 6.11 hands out a dead one.
    return told if isValid(told) else None
