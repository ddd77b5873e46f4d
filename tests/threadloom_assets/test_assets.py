# SPDX-License-Identifier: MIT
"""The data files are complete and can be read."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

ASSETS = files("threadloom_assets")
THEMES = ("dark", "light", "print")


def read_theme(name: str) -> dict[str, str]:
    theme: dict[str, str] = json.loads((ASSETS / "themes" / f"{name}.json").read_text("utf-8"))
    return theme


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_has_all_colors(name: str) -> None:
    theme = read_theme(name)

    assert theme.keys() == read_theme("dark").keys()
    assert all(re.fullmatch("#[0-9A-F]{6}", color) for color in theme.values())


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    "token", ["text", "text-2", "text-3", "accent-text", "error", "warn", "ok"]
)
@pytest.mark.parametrize("ground", ["bg-panel", "bg-canvas"])
def test_text_can_be_read(name: str, token: str, ground: str) -> None:
    theme = read_theme(name)
    assert contrast(theme[token], theme[ground]) >= 4.5


@pytest.mark.parametrize("series", ["s-c", "s-numpy", "s-kernel", "s-total", "s-h2d", "s-d2h"])
@pytest.mark.parametrize("name", THEMES)
def test_a_series_stands_out_from_the_canvas(name: str, series: str) -> None:
    theme = read_theme(name)
    assert contrast(theme[series], theme["bg-canvas"]) >= 3


def test_print_is_black_on_white() -> None:
    theme = read_theme("print")
    assert (theme["bg-canvas"], theme["text"]) == ("#FFFFFF", "#000000")


def test_palettes_are_there() -> None:
    palettes = json.loads((ASSETS / "palettes.json").read_text("utf-8"))
    assert {name: len(colors) for name, colors in palettes.items()} == {
        "categorical": 8,
        "viridis": 11,
        "cividis": 10,
    }


@pytest.mark.parametrize("family", ["Inter", "JetBrains Mono"])
def test_fonts_load_in_four_weights(qapp: object, family: str) -> None:
    from PySide6.QtGui import QFontDatabase

    stem = family.replace(" ", "")
    names = [f"{stem}-{weight}" for weight in ("Regular", "Medium", "SemiBold", "Bold")]
    entries = [e for e in (ASSETS / "fonts").iterdir() if e.name.partition(".")[0] in names]
    loaded = [QFontDatabase.addApplicationFontFromData(entry.read_bytes()) for entry in entries]

    assert len(loaded) == 4
    assert all(family in QFontDatabase.applicationFontFamilies(font) for font in loaded)
    for font in loaded:
        QFontDatabase.removeApplicationFont(font)


def test_each_font_has_its_license() -> None:
    for name in ("Inter", "JetBrainsMono"):
        text = (ASSETS / "fonts" / f"{name}-OFL.txt").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
