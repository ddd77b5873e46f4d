# SPDX-License-Identifier: MIT
"""What a value's color says; a theme has the color."""

from __future__ import annotations

from enum import StrEnum


class Tone(StrEnum):
    """Tokens of a theme that texts and meters are drawn in."""

    TEXT = "text"
    SECONDARY = "text-2"
    TERTIARY = "text-3"
    OK = "ok"
    WARNING = "warn"
    ERROR = "error"
    INFO = "info"
    FOCUS = "focus"
    """It is of the selected thread."""
    ACCENT = "accent"
    ACCENT_TEXT = "accent-text"
