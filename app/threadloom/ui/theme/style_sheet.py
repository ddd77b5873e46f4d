# SPDX-License-Identifier: MIT
"""The one style sheet and the palette, filled in from the theme's tokens.

Widgets say what they look like with the property ``look``; the sheet holds no other selectors
than Qt's classes and that property.
"""

from __future__ import annotations

import re
from importlib import resources

from PySide6.QtGui import QPalette

from threadloom.ui.theme.theme import Appearance

_SHEET = """
QMainWindow, QWidget[look="window"] { background: @bg-window; }
QWidget[look="panel"] { background: @bg-panel; }
QWidget[look="canvas"] { background: @bg-canvas; }
QFrame[look="line"] { background: @border-subtle; border: none; }
QFrame[look="card"] {
    background: @bg-panel; border: 1px solid @border-subtle; border-radius: 10px;
}
QFrame[look="card-row"] { border: none; border-top: 1px solid @border-subtle; }
QFrame[look="popup"] {
    background: @bg-raised; border: 1px solid @border-strong; border-radius: 10px;
}
QFrame[look="popup"] QListWidget { background: @bg-raised; }
QDialog { background: @bg-panel; }
QFrame[look="finding-error"] {
    background: @error-soft; border: 1px solid @error; border-radius: 7px;
}
QFrame[look="banner-error"] { background: @error-soft; border: none; }
QFrame[look="banner-warn"] { background: @warn-soft; border: none; }
QFrame[look="banner-info"] { background: @info-soft; border: none; }

QFrame[look="segmented"] {
    background: @bg-raised; border: 1px solid @border-strong; border-radius: 6px;
}
QToolButton[look="segment"] {
    color: @text-2; background: transparent; border: none; border-radius: 4px; padding: 0 2px;
}
QToolButton[look="segment"]:hover { background: @bg-hover; }
QToolButton[look="segment"]:checked {
    color: @accent-text; background: @accent-soft; font-weight: 600;
}
QToolButton[look="segment"]:disabled { color: @text-off; }
QToolButton[look="segment"]:checked:disabled { color: @text-off; background: @bg-hover; }
QToolButton[look="icon"] { background: transparent; border: none; border-radius: 6px; }
QToolButton[look="icon"]:hover, QToolButton[look="icon"]:checked { background: @bg-hover; }
QToolButton[look="icon"]::menu-indicator { image: none; width: 0; }

QLineEdit[look="field"], QPlainTextEdit[look="field"] {
    color: @text; background: @bg-input; border: 1px solid @border-control; border-radius: 5px;
    selection-background-color: @accent; selection-color: @on-accent;
}
QLineEdit[look="field"] { padding: 0 2px 0 6px; }
QLineEdit[look="field"]:read-only {
    color: @text-2; background: @bg-panel; border-color: @border-subtle;
}
QLineEdit[look="field"]:disabled { color: @text-off; border-color: @border-subtle; }
QLineEdit[look="field"]:focus, QPlainTextEdit[look="field"]:focus { border-color: @accent-text; }
QLineEdit[look="field"][faulty="true"] { border: 2px solid @error; padding: 0 1px 0 5px; }

QCheckBox { color: @text; spacing: 8px; }
QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid @border-control; border-radius: 4px;
    background: @bg-input;
}
QCheckBox::indicator:checked {
    background: @accent; border-color: @accent; image: url("@file-tick");
}
QCheckBox::indicator:focus { border-color: @accent-text; }
QCheckBox:disabled { color: @text-off; }
QCheckBox::indicator:disabled { background: @bg-panel; border-color: @border-subtle; }
QCheckBox::indicator:checked:disabled { background: @border-strong; border-color: @border-strong; }

QMenu {
    color: @text; background: @bg-raised; border: 1px solid @border-strong; padding: 4px;
}
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accent-soft; }
QMenu::item:disabled { color: @text-off; }
QMenu::separator { height: 1px; background: @border-subtle; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }
QToolTip {
    color: @text; background: @bg-raised; border: 1px solid @border-strong; padding: 4px 6px;
}
QComboBox QAbstractItemView {
    color: @text; background: @bg-raised; border: 1px solid @border-strong; outline: none;
    padding: 4px 0;
}

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 9px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @border-strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @border-control; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QSplitter::handle { background: @border-subtle; }
QSplitter::handle:hover { background: @border-strong; }
QStatusBar { color: @text-2; background: @bg-panel; border-top: 1px solid @border-subtle; }
QStatusBar::item { border: none; }

QTabBar { background: @bg-panel; border: none; }
QTabBar::tab { color: @text-2; background: transparent; border: none; padding: 8px 12px; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:hover { color: @text; }
QTableView, QListView {
    color: @text; background: @bg-canvas; border: none; outline: none;
    gridline-color: @border-subtle; alternate-background-color: @bg-canvas;
    selection-background-color: @accent-soft; selection-color: @text;
}
QHeaderView { background: @bg-panel; border: none; }
QHeaderView::section {
    color: @text-3; background: @bg-panel; border: none;
    border-bottom: 1px solid @border-subtle; padding: 0 8px; font-weight: 400;
}
QHeaderView::section:first { padding-left: 16px; }
QHeaderView::section:last { padding-right: 16px; }
QTextEdit, QPlainTextEdit {
    color: @text; background: @bg-input; border: none;
    selection-background-color: @accent; selection-color: @on-accent;
}
QProgressBar { background: transparent; border: none; max-height: 2px; }
QProgressBar::chunk { background: @accent; }
"""

_PALETTE = {
    QPalette.ColorRole.Window: "bg-panel",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "bg-canvas",
    QPalette.ColorRole.AlternateBase: "bg-panel",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "bg-raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "on-accent",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on-accent",
    QPalette.ColorRole.ToolTipBase: "bg-raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "text-3",
    QPalette.ColorRole.Link: "accent-text",
    QPalette.ColorRole.Light: "bg-hover",
    QPalette.ColorRole.Mid: "border-strong",
    QPalette.ColorRole.Dark: "border-subtle",
}


def style_sheet(appearance: Appearance) -> str:
    """The style sheet for the theme in force; fonts are not its business."""
    tick = resources.files("threadloom_assets") / "icons" / "tick.svg"
    colors = {**appearance.theme.colors, "file-tick": str(tick).replace("\\", "/")}
    return re.sub(r"@([a-z][a-z0-9-]*)", lambda found: colors[found[1]], _SHEET)


def palette(appearance: Appearance) -> QPalette:
    """The palette for what the style sheet does not name."""
    made = QPalette()
    for role, token in _PALETTE.items():
        made.setColor(role, appearance.color(token))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        made.setColor(QPalette.ColorGroup.Disabled, role, appearance.color("text-off"))
    return made
