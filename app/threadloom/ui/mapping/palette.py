# SPDX-License-Identifier: MIT
"""The theme's colours as arrays, for pictures that NumPy draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from threadloom.ui.mapping.colormap import Colours, colour_table, mix, rgb, shipped
from threadloom.ui.theme import Theme

WAVES = 6
"""Wave colours before they repeat."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Colours that cells can have."""

    dark: bool
    canvas: Colours
    idle: Colours
    once: Colours
    several: Colours
    hatch: Colours
    guarded: Colours
    """Outline of a thread that does nothing."""
    waves: Colours
    """(6, 3)"""
    cycle: Colours
    """(8, 3), the categorical palette."""
    ramp: Colours
    """(256, 3), low to high."""

    @classmethod
    def of(cls, theme: Theme) -> Palette:
        """Read a theme."""

        def token(name: str) -> Colours:
            colour: Colours = rgb([theme.color(name).name()])[0]
            return colour

        canvas = token("bg-canvas")
        waves = [token(f"wave-{number + 1}") for number in range(WAVES)]
        return cls(
            dark=theme.is_dark,
            canvas=canvas,
            idle=token("cell-idle"),
            once=mix(canvas, token("text-3"), 0.6),
            several=shipped("categorical")[6],
            hatch=token("hatch"),
            guarded=token("border-control"),
            waves=np.stack(waves),
            cycle=shipped("categorical"),
            ramp=colour_table("viridis", dark=theme.is_dark),
        )

    def waiting(self, colours: Colours) -> Colours:
        """A block's colour before it starts."""
        return mix(self.canvas, colours, 0.28)

    def running(self, colours: Colours) -> Colours:
        """A block's colour while it runs."""
        white = np.array([255, 255, 255], dtype=np.float32)
        return mix(colours, white if self.dark else self.canvas, 0.55)

    def along(self, shares: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Colours:
        """The colour map at shares from 0 to 1."""
        places = np.clip(np.nan_to_num(shares, posinf=1.0) * 255, 0, 255)
        colours: Colours = self.ramp[places.astype(np.int64)]
        return colours
