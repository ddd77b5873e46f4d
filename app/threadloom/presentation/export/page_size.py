# SPDX-License-Identifier: MIT
"""A page's size and the size of its text, in millimetres, points and pixels."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.text import _

MM_PER_INCH, PT_PER_INCH = 25.4, 72.0
LEAST_MM, MOST_MM = 20.0, 2_000.0
MOST_PIXELS = 16_384
"""Along one side; some viewers open nothing larger."""


class PageSizeError(ValueError):
    """A size that no figure can be drawn at; the text says which sizes can."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """What a figure is drawn on."""

    width_mm: float = 88.0
    height_mm: float = 66.0
    text_pt: float = 8.0
    dpi: float = 300.0
    """Pixels per inch, for pixel images."""

    def check(self) -> None:
        """Look whether a figure can be drawn.

        Raises:
            PageSizeError: If it is too small or too large.
        """
        sides = (self.width_mm, self.height_mm)
        if not all(LEAST_MM <= side <= MOST_MM for side in sides):
            text = _("Width and height must be {least} to {most} mm.")
            raise PageSizeError(text.format(least=f"{LEAST_MM:g}", most=f"{MOST_MM:g}"))
        if not 4 <= self.text_pt <= 72:
            raise PageSizeError(_("The text size must be 4 to 72 points."))
        if max(self.pixels) > MOST_PIXELS:
            text = _("The image would be {width} × {height} pixels; the limit is {most} per side.")
            width, height = self.pixels
            raise PageSizeError(text.format(width=width, height=height, most=MOST_PIXELS))

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        per_mm = self.dpi / MM_PER_INCH
        return max(1, round(self.width_mm * per_mm)), max(1, round(self.height_mm * per_mm))

    @property
    def points(self) -> tuple[float, float]:
        """Width and height in points."""
        per_mm = PT_PER_INCH / MM_PER_INCH
        return self.width_mm * per_mm, self.height_mm * per_mm

    def text_in(self, units_per_inch: float) -> float:
        """Height of the text in units of which so many make an inch."""
        return self.text_pt / PT_PER_INCH * units_per_inch
