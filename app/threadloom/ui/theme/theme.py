# SPDX-License-Identifier: MIT
"""Named colors and fonts; palette, style sheet, plots and icons derive from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont

from threadloom.ui.theme.derived_colors import NEEDED, complete


class Role(Enum):
    """Uses of type: family, size in pixels, weight."""

    CAPTION = ("Inter", 11.0, QFont.Weight.Normal)
    BODY = ("Inter", 12.0, QFont.Weight.Normal)
    BUTTON = ("Inter", 12.0, QFont.Weight.Medium)
    VALUE = ("Inter", 12.0, QFont.Weight.Medium)
    TITLE = ("Inter", 13.0, QFont.Weight.DemiBold)
    STEP_TITLE = ("Inter", 15.0, QFont.Weight.DemiBold)
    KEY_FIGURE = ("Inter", 17.0, QFont.Weight.DemiBold)
    PAGE_TITLE = ("Inter", 22.0, QFont.Weight.DemiBold)
    FORMULA = ("JetBrains Mono", 13.5, QFont.Weight.Normal)
    CODE = ("JetBrains Mono", 11.5, QFont.Weight.Normal)
    EDITOR = ("JetBrains Mono", 12.5, QFont.Weight.Normal)
    LANE = ("Inter", 10.0, QFont.Weight.Normal)


def font(role: Role, scale: float = 1.0, *, bold: bool = False) -> QFont:
    """The font of a role; figures have one width, code has no ligatures."""
    family, pixels, weight = role.value
    result = QFont(family)
    result.setPixelSize(max(1, round(pixels * scale)))
    result.setWeight(QFont.Weight.Bold if bold else weight)
    if family == "Inter":
        result.setFeature(QFont.Tag("tnum"), 1)
    else:
        result.setFeature(QFont.Tag("liga"), 0)
        result.setFeature(QFont.Tag("calt"), 0)
    return result


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of named colors."""

    name: str
    colors: Mapping[str, str]

    @classmethod
    def load(cls, name: str) -> Theme:
        """Read a theme of the assets, such as ``dark``, ``light`` or ``print``.

        One that names only a few colors gets the others mixed from these.

        Raises:
            ThemeError: If it lacks a color that cannot be mixed.
        """
        colors = _read(name)
        if set(NEEDED) <= set(colors):
            dark = QColor(colors["text"]).lightnessF() > QColor(colors["bg-panel"]).lightnessF()
            like = _read("dark" if dark else "light")
        else:
            like = {}
        return cls(name, complete(colors, like))

    @staticmethod
    def names() -> tuple[str, ...]:
        """Names of the themes in the assets."""
        folder = files("threadloom_assets").joinpath("themes")
        return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".json")))

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than what it stands on."""
        return self.color("text").lightnessF() > self.color("bg-panel").lightnessF()

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """A color by its token, such as ``bg-panel``."""
        result = QColor(self.colors[token])
        result.setAlphaF(alpha)
        return result

    def mix(self, first: str, second: str, share: float) -> QColor:
        """A mixture of two tokens with this share of the second, 0 to 1."""
        a, b = self.color(first), self.color(second)
        return QColor.fromRgbF(
            a.redF() + (b.redF() - a.redF()) * share,
            a.greenF() + (b.greenF() - a.greenF()) * share,
            a.blueF() + (b.blueF() - a.blueF()) * share,
        )


def _read(name: str) -> dict[str, str]:
    text = files("threadloom_assets").joinpath("themes", f"{name}.json").read_text("utf-8")
    read: dict[str, str] = json.loads(text)
    return read


class Appearance(QObject):
    """The theme in force. Widgets take it in their constructor and follow `changed`."""

    changed = Signal()
    """The theme or the text size has changed: repaint."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.text_scale = 1.0

    def set_theme(self, theme: Theme) -> None:
        """Change all colors at once."""
        if theme != self.theme:
            self.theme = theme
            self.changed.emit()

    def set_text_scale(self, scale: float) -> None:
        """Change the size of all texts; 1.0 is the usual one."""
        if scale != self.text_scale:
            self.text_scale = scale
            self.changed.emit()

    def scaled(self, pixels: float) -> int:
        """A height or width that grows with the text, in whole pixels."""
        return round(pixels * self.text_scale)

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """A color of the theme in force."""
        return self.theme.color(token, alpha)

    def font(self, role: Role, *, bold: bool = False) -> QFont:
        """A font at the text size in force."""
        return font(role, self.text_scale, bold=bold)
