# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from threadloom.ui.theme.appearance import contrasted
from threadloom.ui.theme.derived_colors import NEEDED, ThemeError, complete, contrast
from threadloom.ui.theme.theme import Appearance, Theme

GROUNDS = ("bg-panel", "bg-canvas", "bg-hover")
TEXTS = ("text", "text-2", "text-3", "accent-text", "focus", "error", "warn", "ok")
LINES = (
    *("border-control", "s-c", "s-numpy", "s-kernel", "s-total", "s-h2d", "s-d2h"),
    *(f"wave-{number}" for number in range(1, 7)),
)
ON_FILL = (
    ("on-accent", "accent"),
    ("on-focus", "focus"),
    ("error", "error-soft"),
    ("warn", "warn-soft"),
    ("ok", "ok-soft"),
    ("info", "info-soft"),
    ("focus", "focus-soft"),
    ("accent-text", "accent-soft"),
    ("text-2", "bg-hover"),
    ("text-2", "error-soft"),
)


def test_contrast_of_black_and_white() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21.0)


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read_on_every_ground(name: str, text: str, ground: str) -> None:
    theme = Theme.load(name)
    assert contrast(theme.color(text), theme.color(ground)) >= 4.5


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize(("ink", "fill"), ON_FILL)
def test_text_can_be_read_on_its_fill(name: str, ink: str, fill: str) -> None:
    theme = Theme.load(name)
    assert contrast(theme.color(ink), theme.color(fill)) >= 4.5


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("line", LINES)
def test_lines_stand_out_from_the_canvas(name: str, line: str) -> None:
    theme = Theme.load(name)
    assert contrast(theme.color(line), theme.color("bg-canvas")) >= 3.0


def test_all_themes_name_the_same_colors() -> None:
    names = [set(Theme.load(name).colors) for name in ("dark", "light", "print")]
    assert names[0] == names[1] == names[2]


def test_dark_is_dark() -> None:
    assert Theme.load("dark").is_dark
    assert not Theme.load("light").is_dark


def test_appearance_tells_of_another_theme_once(qtbot: QtBot) -> None:
    appearance = Appearance(Theme.load("dark"))
    with qtbot.waitSignal(appearance.changed):
        appearance.set_theme(Theme.load("light"))
    with qtbot.assertNotEmitted(appearance.changed):
        appearance.set_theme(Theme.load("light"))


@pytest.mark.parametrize("name", ["dark", "light"])
def test_ten_colors_make_a_theme_that_can_be_read(name: str) -> None:
    whole = Theme.load(name).colors
    few = {token: whole[token] for token in NEEDED}
    theme = Theme("few", complete(few, whole))
    assert set(theme.colors) == set(whole)
    for text in ("text", "text-2", "accent-text"):
        assert contrast(theme.color(text), theme.color("bg-panel")) >= 4.5
    assert contrast(theme.color("border-control"), theme.color("bg-panel")) >= 3.0


def test_a_theme_that_lacks_a_color_says_which() -> None:
    with pytest.raises(ThemeError, match="hatch"):
        complete({token: "#000000" for token in NEEDED if token != "hatch"}, {})


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("line", ["border-subtle", "border-strong"])
def test_lines_are_strong_where_a_high_contrast_is_asked_for(name: str, line: str) -> None:
    theme = contrasted(Theme.load(name))
    for ground in ("bg-panel", "bg-canvas"):
        assert contrast(theme.color(line), theme.color(ground)) >= 3
    assert theme.color("text") == Theme.load(name).color("text")
