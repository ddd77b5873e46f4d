# SPDX-License-Identifier: MIT
"""A name and a value, and some of them with a title."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.presentation.tone import Tone


@dataclass(frozen=True, slots=True)
class Fact:
    """One row."""

    name: str
    value: str
    tone: Tone = Tone.TEXT


@dataclass(frozen=True, slots=True)
class Facts:
    """Some rows with a title."""

    title: str
    rows: tuple[Fact, ...]
