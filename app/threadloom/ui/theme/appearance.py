# SPDX-License-Identifier: MIT
"""Gives the whole application the appearance that settings and system ask for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontDatabase, QStyleHints
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from threadloom.services.storage.settings import Settings
from threadloom.ui.theme.style_sheet import palette, style_sheet
from threadloom.ui.theme.theme import Appearance, Role, Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibilityHints


def register_fonts() -> None:
    """Make the fonts that ship with the program known to Qt."""
    folder = resources.files("threadloom_assets") / "fonts"
    for file in folder.iterdir():
        if file.name.endswith((".otf", ".ttf")):
            QFontDatabase.addApplicationFontFromData(file.read_bytes())


class ApplicationAppearance(QObject):
    """Keeps style, palette, fonts and style sheet in step with theme and text size."""

    def __init__(
        self, application: QApplication, appearance: Appearance, settings: Settings
    ) -> None:
        super().__init__()
        self._application, self._appearance = application, appearance
        self._settings = settings
        application.setStyle("Fusion")
        self._hints = application.styleHints()
        self._hints.colorSchemeChanged.connect(self._on_system_changed)
        on_contrast_changed(self._hints, self._on_system_changed)
        self.follow(settings)
        self._dress()
        appearance.changed.connect(self._dress)

    def follow(self, settings: Settings) -> None:
        """Take over theme and text size."""
        self._settings = settings
        self._appearance.set_text_scale(settings.text_size / 100)
        theme = Theme.load(self._theme_name())
        self._appearance.set_theme(contrasted(theme) if wants_contrast(self._hints) else theme)

    def _theme_name(self) -> str:
        if self._settings.theme in Theme.names():
            return self._settings.theme
        scheme = self._application.styleHints().colorScheme()
        return "light" if scheme is Qt.ColorScheme.Light else "dark"

    def _on_system_changed(self, _changed: object) -> None:
        self.follow(self._settings)

    def _dress(self) -> None:
        self._application.setFont(self._appearance.font(Role.BODY))
        self._application.setPalette(palette(self._appearance))
        self._application.setStyleSheet(style_sheet(self._appearance))


def contrasted(theme: Theme) -> Theme:
    """The theme with every line as strong as those around fields."""
    strong = theme.colors["border-control"]
    lines = {"border-subtle": strong, "border-strong": strong}
    return Theme(theme.name, {**theme.colors, **lines})


def wants_contrast(hints: QStyleHints) -> bool:
    """Whether the system asks for a high contrast; false where that cannot be told."""
    told = _accessibility(hints)
    return told is not None and told.contrastPreference() is Qt.ContrastPreference.HighContrast


def on_contrast_changed(hints: QStyleHints, slot: Callable[[object], None]) -> None:
    """Call a slot whenever the system asks for another contrast."""
    told = _accessibility(hints)
    if told is not None:
        told.contrastPreferenceChanged.connect(slot)


def _accessibility(hints: QStyleHints) -> QAccessibilityHints | None:
    if not hasattr(hints, "accessibility"):
        return None
    told = hints.accessibility()
    # WORKAROUND: once an earlier wrapper of the hints is gone, PySide 6.11 hands out a dead one.
    return told if isValid(told) else None
