# SPDX-License-Identifier: MIT
"""The colors that a theme leaves out, mixed from the ten that it must name."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QColor

NEEDED = (
    "bg-panel",
    "bg-canvas",
    "text",
    "accent",
    "focus",
    "error",
    "warn",
    "ok",
    "info",
    "hatch",
)
"""Tokens that every theme names."""

_TOWARDS_TEXT = {
    "bg-raised": 0.04,
    "bg-hover": 0.08,
    "border-subtle": 0.08,
    "border-strong": 0.16,
    "text-off": 0.40,
    "border-control": 0.50,
    "text-3": 0.66,
    "text-2": 0.80,
}
"""Share of the text's color in the panel's."""
_SOFT_SHARE = 0.10
_READABLE = 4.5
"""Least contrast of text (WCAG 2.2, success criterion 1.4.3)."""


class ThemeError(Exception):
    """A theme lacks a color that cannot be derived; the text names it."""


def complete(colors: Mapping[str, str], like: Mapping[str, str]) -> dict[str, str]:
    """All tokens: those that are given, those that can be mixed, and the rest as in ``like``.

    Raises:
        ThemeError: If one of `NEEDED` is missing.
    """
    missing = [token for token in NEEDED if token not in colors]
    if missing:
        raise ThemeError(", ".join(missing))
    panel, text = QColor(colors["bg-panel"]), QColor(colors["text"])
    derived = {token: mixed(panel, text, share) for token, share in _TOWARDS_TEXT.items()}
    for token in ("accent", "focus", "error", "warn", "ok", "info"):
        derived[f"{token}-soft"] = mixed(panel, QColor(colors[token]), _SOFT_SHARE)
    canvas = QColor(colors["bg-canvas"])
    derived["cell-idle"] = mixed(canvas, text, 0.10)
    derived["accent-text"] = readable(QColor(colors["accent"]), panel, text)
    derived["bg-window"], derived["bg-input"] = panel, canvas
    names = {token: color.name().upper() for token, color in derived.items()}
    return {**like, **names, **colors}


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Two colors mixed, with this share of the second."""
    parts = (
        (first.redF(), second.redF()),
        (first.greenF(), second.greenF()),
        (first.blueF(), second.blueF()),
    )
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in parts))


def readable(color: QColor, ground: QColor, text: QColor) -> QColor:
    """The color, moved towards the text's until it can be read on the ground."""
    for step in range(21):
        moved = mixed(color, text, step / 20)
        if contrast(moved, ground) >= _READABLE:
            return moved
    return text


def contrast(first: QColor, second: QColor) -> float:
    """Contrast of two colors, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: QColor) -> float:
    """Relative luminance (WCAG 2.2, "relative luminance")."""
    red, green, blue = (_linear(p) for p in (color.redF(), color.greenF(), color.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
