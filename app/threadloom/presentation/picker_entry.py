# SPDX-License-Identifier: MIT
"""One entry of a list to pick from."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.presentation.tone import Tone


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a picker."""

    key: str
    text: str
    extra: str = ""
    """Shown after the text, quieter."""
    icon: str = ""
    tone: Tone = Tone.SECONDARY
    """Token of the icon's color."""
    enabled: bool = True
    tip: str = ""
