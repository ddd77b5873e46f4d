# SPDX-License-Identifier: MIT
"""Sizes that figures are often needed in."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.text import N_


@dataclass(frozen=True, slots=True)
class Preset:
    """A size with the text that reads well in it."""

    key: str
    title: str
    """To be translated where it is shown."""
    width_mm: int
    height_mm: int
    text_pt: int
    use: str
    """What the text's size is for; to be translated as well."""


PRESETS = (
    Preset("column", N_("Page, 1 column"), 88, 66, 8, N_("readable when printed")),
    Preset("columns", N_("Page, 2 columns"), 180, 110, 8, N_("readable when printed")),
    Preset("slide", N_("Slide, 16:9"), 254, 143, 14, N_("readable from a distance")),
)
"""A nature-style column is 88 mm wide; a widescreen slide is 10 inches."""

CUSTOM = "custom"


def preset(key: str) -> Preset | None:
    """The preset with this key; None for a custom size."""
    return next((one for one in PRESETS if one.key == key), None)


def key_of(width_mm: int, height_mm: int) -> str:
    """The preset that has this size, or `CUSTOM`."""
    size = (width_mm, height_mm)
    return next((p.key for p in PRESETS if (p.width_mm, p.height_mm) == size), CUSTOM)
