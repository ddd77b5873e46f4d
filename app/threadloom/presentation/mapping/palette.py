# SPDX-License-Identifier: MIT
"""The theme's colors as arrays, for pictures that NumPy draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from threadloom.presentation.mapping.colormap import Colors, color_table, mix, rgb, shipped

WAVES = 6
"""Wave colors before they repeat."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Colors that cells can have."""

    dark: bool
    canvas: Colors
    idle: Colors
    once: Colors
    multiple_writers: Colors
    hatch: Colors
    guarded: Colors
    """Outline of a thread that does nothing."""
    waves: Colors
    """(6, 3)"""
    cycle: Colors
    """(8, 3), the categorical palette."""
    ramp: Colors
    """(256, 3), low to high."""

    @classmethod
    def of(cls, theme: Mapping[str, str], *, dark: bool) -> Palette:
        """The colors of a theme: ``#rrggbb`` by token."""

        def token(name: str) -> Colors:
            color: Colors = rgb([theme[name]])[0]
            return color

        canvas = token("bg-canvas")
        waves = [token(f"wave-{number + 1}") for number in range(WAVES)]
        return cls(
            dark=dark,
            canvas=canvas,
            idle=token("cell-idle"),
            once=mix(canvas, token("text-3"), 0.6),
            multiple_writers=shipped("categorical")[6],
            hatch=token("hatch"),
            guarded=token("border-control"),
            waves=np.stack(waves),
            cycle=shipped("categorical"),
            ramp=color_table("viridis", dark=dark),
        )

    def waiting(self, colors: Colors) -> Colors:
        """A block's color before it starts."""
        return mix(self.canvas, colors, 0.28)

    def running(self, colors: Colors) -> Colors:
        """A block's color while it runs."""
        white = np.array([255, 255, 255], dtype=np.float32)
        return mix(colors, white if self.dark else self.canvas, 0.55)

    def along(self, shares: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Colors:
        """The color map at shares from 0 to 1."""
        places = np.clip(np.nan_to_num(shares, posinf=1.0) * 255, 0, 255)
        colors: Colors = self.ramp[places.astype(np.int64)]
        return colors
