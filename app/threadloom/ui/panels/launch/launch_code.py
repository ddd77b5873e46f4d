# SPDX-License-Identifier: MIT
"""The launch as a line of code that can be edited."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from threadloom.backends.source.launch_line import LaunchLineError, ParsedLaunch, parse_launch
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.launch_line import format_launch
from threadloom.presentation.launch_code_layout import broken
from threadloom.text import _
from threadloom.ui.panels.launch.code_highlighter import LaunchHighlighter
from threadloom.ui.theme.theme import Appearance, Role

_PAUSE_MS = 150
_LINE = 18


class LaunchCode(QPlainTextEdit):
    """An editor of two lines; what it says is told 150 ms after the last key."""

    launched = Signal(object)
    """ParsedLaunch that a user has typed."""
    faulty = Signal(str)
    """What is wrong with the line; empty once it can be read again."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._names: Mapping[str, int] = {}
        self._shown: tuple[str, Launch, tuple[str, ...]] = ("", Launch(Dim3(), Dim3()), ())
        self._marked: frozenset[str] = frozenset()
        self._writing = False
        self.setProperty("look", "field")
        self.setObjectName("launch.code")
        self.setAccessibleName(_("Launch as code"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(7)
        self.highlighter = LaunchHighlighter(self.document(), appearance)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._read)
        self.textChanged.connect(self._on_text_changed)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def show_launch(
        self, name: str, launch: Launch, arguments: tuple[str, ...], names: Mapping[str, int]
    ) -> None:
        """Write a launch, unless what is being typed means the same."""
        self._names = names
        self._shown = (name, launch, arguments)
        parsed = parse_launch(self.toPlainText(), names)
        same = isinstance(parsed, ParsedLaunch) and parsed.launch == launch
        if not (same and self.hasFocus()):
            self._write()
        self._mark()

    def show_faults(self, controls: frozenset[str]) -> None:
        """Underline the parts that findings speak of: ``block.x``, ``grid.y``."""
        self._marked = controls
        self._mark()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Write the launch in its usual form again, if what was typed can be read."""
        super().focusOutEvent(event)
        if self._pause.isActive():
            self._pause.stop()
            self._read()
        if isinstance(parse_launch(self.toPlainText(), self._names), ParsedLaunch):
            self._write()
            self._mark()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the line anew."""
        super().resizeEvent(event)
        if not self.hasFocus() and event.size().width() != event.oldSize().width():
            self._write()
            self._mark()

    def _write(self) -> None:
        name, launch, arguments = self._shown
        if not name:
            return
        text = broken(format_launch(name, launch, arguments), self._columns())
        if text != self.toPlainText():
            self._writing = True
            self.setPlainText(text)
            self._writing = False
        self._fit()

    def _columns(self) -> int:
        width = self.viewport().width() - 2 * self.document().documentMargin() - 2
        return max(16, int(width / max(1.0, QFontMetricsF(self.font()).horizontalAdvance("0"))))

    def _fit(self) -> None:
        lines = min(4, max(2, self.document().lineCount()))
        line = max(_LINE, self.fontMetrics().lineSpacing())
        self.setFixedHeight(lines * line + 14)

    def _on_text_changed(self) -> None:
        if not self._writing:
            self._pause.start()

    def _read(self) -> None:
        parsed = parse_launch(self.toPlainText(), self._names)
        if isinstance(parsed, LaunchLineError):
            self.highlighter.mark([_visible(parsed, self.toPlainText())])
            self.faulty.emit(parsed.message)
            return
        self._mark()
        self.faulty.emit("")
        self.launched.emit(parsed)

    def _mark(self) -> None:
        parsed = parse_launch(self.toPlainText(), self._names)
        if isinstance(parsed, LaunchLineError):
            return
        spans = {"grid": parsed.grid_span, "block": parsed.block_span}
        parts = {control.partition(".")[0] for control in self._marked}
        self.highlighter.mark([spans[part] for part in ("grid", "block") if part in parts])

    def _on_appearance_changed(self) -> None:
        self.setFont(self._appearance.font(Role.CODE))
        self._fit()


def _visible(error: LaunchLineError, text: str) -> tuple[int, int]:
    """A stretch of at least one letter, so that there is something to underline."""
    start = min(error.start, max(0, len(text) - 1))
    return start, max(error.end, start + 1)
