# SPDX-License-Identifier: MIT
"""Icons by the name of what they stand for, drawn in a color of the theme.

The set is Phosphor's bold cut: its lines are 24/256 of the size, so 1.5 px at 16 px.
"""

from __future__ import annotations

import qtawesome
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPixmap

from threadloom.ui.theme.theme import Appearance

GLYPHS = {
    "actions": "ph.dots-three-bold",
    "area": "ph.squares-four-bold",
    "back": "ph.skip-back-fill",
    "baselines": "ph.scales-bold",
    "book": "ph.book-open-bold",
    "bug": "ph.bug-bold",
    "chart": "ph.chart-line-bold",
    "check": "ph.check-bold",
    "chip": "ph.cpu-bold",
    "clock": "ph.clock-bold",
    "close": "ph.x-bold",
    "code": "ph.code-bold",
    "copy": "ph.copy-bold",
    "dash": "ph.minus-bold",
    "down": "ph.caret-down-bold",
    "error": "ph.warning-octagon-bold",
    "export": "ph.export-bold",
    "file": "ph.file-bold",
    "fit": "ph.corners-out-bold",
    "folder": "ph.folder-open-bold",
    "keyboard": "ph.keyboard-bold",
    "lock": "ph.lock-simple-bold",
    "maximize": "ph.arrows-out-simple-bold",
    "menu": "ph.list-bold",
    "note": "ph.info-bold",
    "passed": "ph.check-circle-bold",
    "pause": "ph.pause-fill",
    "pin": "ph.push-pin-bold",
    "play": "ph.play-fill",
    "reset": "ph.arrow-counter-clockwise-bold",
    "restore": "ph.arrows-in-simple-bold",
    "right": "ph.caret-right-bold",
    "save": "ph.floppy-disk-bold",
    "search": "ph.magnifying-glass-bold",
    "settings": "ph.gear-six-bold",
    "start": "ph.caret-double-left-bold",
    "step": "ph.skip-forward-fill",
    "stop": "ph.stop-fill",
    "theme": "ph.circle-half-bold",
    "unfold": "ph.layout-bold",
    "unlock": "ph.lock-simple-open-bold",
    "warning": "ph.warning-bold",
    "breakdown": "ph.path-bold",
    "window": "ph.browser-bold",
    "zoom-in": "ph.plus-bold",
    "zoom-out": "ph.minus-bold",
}
"""Glyph of the icon font for each meaning."""


def icon(appearance: Appearance, name: str, tone: str = "text") -> QIcon:
    """An icon in a color of the theme, with the disabled one in ``text-off``.

    Raises:
        KeyError: If no icon has this name.
    """
    made: QIcon = qtawesome.icon(
        GLYPHS[name],
        color=appearance.color(tone),
        color_disabled=appearance.color("text-off"),
    )
    return made


def pixmap(
    appearance: Appearance, name: str, tone: str, size: int = 16, ratio: float = 1.0
) -> QPixmap:
    """The same as a pixmap of ``size`` device-independent pixels, for painting."""
    return icon(appearance, name, tone).pixmap(QSize(size, size), ratio)
