# SPDX-License-Identifier: MIT
"""What every pane needs to draw itself."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.presentation.mapping.drawing_state import DrawingState
from threadloom.ui.theme.theme import Appearance


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawing(DrawingState):
    """One state of the mapping with the colors and fonts to paint it."""

    appearance: Appearance
