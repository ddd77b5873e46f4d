# SPDX-License-Identifier: MIT
"""What every figure can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from threadloom.ui.theme.theme import Theme

Values = Mapping[str, object]
"""The numbers that a figure shows, as JSON holds them."""


class Figure(Protocol):
    """A picture of numbers.

    It paints in units of which 12 are the height of body text; who wants another size
    scales the painter, and with it fonts, pens and gaps.
    """

    @property
    def name(self) -> str:
        """Stem for a file's name, such as ``sweep``."""
        ...

    @property
    def title(self) -> str:
        """What is shown, for a user."""
        ...

    @property
    def values(self) -> Values:
        """The numbers that are shown."""
        ...

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw into a rectangle; the ground is there already."""
        ...
