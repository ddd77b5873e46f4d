# SPDX-License-Identifier: MIT
"""A key figure: its title, a large value, and what it is held against."""

from __future__ import annotations

from threadloom.presentation.figures.key_figure import KeyFigure
from threadloom.ui.figures.pages.themed_painter import ThemedPainter, text_width
from threadloom.ui.theme.theme import Role


def figure_width(figure: KeyFigure) -> float:
    """Width of a key figure."""
    beside = text_width(figure.beside, Role.BODY)
    value = text_width(figure.value, Role.KEY_FIGURE) + 6 + beside
    return max(text_width(figure.title), value + (14 if figure.note else 0))


def draw_key_figure(
    painter: ThemedPainter, x: float, y: float, figure: KeyFigure, room: float = 1e6
) -> None:
    """Draw one with its top at ``y``; it is 40 high, and its title ``room`` wide at most."""
    painter.elided(x, y + 6, figure.title, room, tone="text-2")
    width = painter.text(x, y + 26, figure.value, Role.KEY_FIGURE, figure.tone)
    end = x + width + 6
    end += painter.text(end, y + 27, figure.beside, Role.BODY, "text-2")
    if figure.note:
        painter.text(end + 5, y + 26, "△", Role.BODY, "warn")
