# SPDX-License-Identifier: MIT
"""Waves in colors, as tokens and as pictures."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor, QImage

from threadloom.model.array import Array
from threadloom.ui.theme.theme import Theme

WAVES = 6
"""Colors before they repeat."""


def wave_token(wave: int) -> str:
    """Token of a wave's color, waves counted from 0; it repeats after six."""
    return f"wave-{wave % WAVES + 1}"


def wave_image(wave: Array, share: Array, theme: Theme) -> QImage:
    """A picture of waves, shape (rows, columns); the fewer slots are in use, the paler."""
    tokens = [wave_token(number) for number in range(WAVES)]
    *colors_list, last = (_rgb(theme.color(token)) for token in [*tokens, "bg-canvas"])
    colors, ground = np.array(colors_list, dtype=np.float64), np.array(last, dtype=np.float64)
    strength = np.where(wave >= 0, 0.25 + 0.75 * share, 0.0)[..., None]
    mixed = ground + (colors[wave % WAVES] - ground) * strength
    whole = (mixed + 0.5).astype(np.uint32)
    packed = 0xFF000000 | whole[..., 0] << 16 | whole[..., 1] << 8 | whole[..., 2]
    data = np.ascontiguousarray(packed.astype(np.uint32))
    height, width = data.shape
    image = QImage(data.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32)
    return image.copy()


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()
