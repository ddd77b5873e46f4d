# SPDX-License-Identifier: MIT
"""The color maps of the mapping as tables of 256 colors, from the shipped ``palettes.json``."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

Colors = npt.NDArray[np.float32]
"""Red, green and blue from 0 to 255 along the last axis."""


def rgb(colors: list[str]) -> Colors:
    """Read colors such as ``#0C0E13``; shape (colors, 3)."""
    rows = [[int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in colors]
    return np.array(rows, dtype=np.float32)


@cache
def shipped(name: str) -> Colors:
    """A palette that ships with the program: ``categorical``, ``viridis`` or ``cividis``."""
    text = files("threadloom_assets").joinpath("palettes.json").read_text("utf-8")
    return rgb(json.loads(text)[name])


@cache
def color_table(name: str, *, dark: bool) -> Colors:
    """The part of a color map that shows on a dark or light canvas; shape (256, 3)."""
    low, high = (0.16, 1.0) if dark else (0.0, 0.96)
    colors = shipped(name)
    at = np.linspace(low, high, 256) * (len(colors) - 1)
    places = np.arange(len(colors))
    channels = [np.interp(at, places, colors[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).astype(np.float32)


def mix(first: Colors, second: Colors, share: float) -> Colors:
    """Mix colors; ``share`` is that of the second, 0 to 1."""
    return (first + (second - first) * np.float32(share)).astype(np.float32)


def packed(colors: Colors) -> npt.NDArray[np.uint32]:
    """Pack into the 0xFFRRGGBB words of Qt's 32-bit images; the last axis goes."""
    whole = (colors + np.float32(0.5)).astype(np.uint32)
    words = (whole[..., 0] << 16) | (whole[..., 1] << 8) | whole[..., 2] | 0xFF000000
    return np.asarray(words, dtype=np.uint32)
