# SPDX-License-Identifier: MIT
"""A key figure: its title, a large value, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.presentation.tone import Tone


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A figure with what it is and what it is held against."""

    title: str
    value: str
    beside: str = ""
    tone: Tone = Tone.TEXT
    note: str = ""
    """What a user should know of it, shown as a tip and a mark."""
