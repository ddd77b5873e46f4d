# SPDX-License-Identifier: MIT
"""The keyboard mark: an outline of 2 px, 1 px outside the control that has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from threadloom.ui.theme.theme import Appearance

_GAP = 4


class FocusRing(QWidget):
    """Lies over the window and is drawn around the control that was reached with the keyboard."""

    def __init__(self, window: QWidget, appearance: Appearance) -> None:
        super().__init__(window)
        self._appearance = appearance
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        """The target and what it lies in, up to the window: it moves with any of them."""
        self._by_key = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        appearance.changed.connect(self.update)

    def expect(self) -> None:
        """The keyboard is about to move by a key: draw the ring where it goes."""
        self._by_key = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the control as it moves; vanish with it, or when the mouse takes over."""
        kind = event.type()
        if kind in {QEvent.Type.Move, QEvent.Type.Resize}:
            self._place()
        elif kind is QEvent.Type.Hide or (
            kind is QEvent.Type.MouseButtonPress and watched is self._target
        ):
            self._let_go()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._appearance.color("accent-text"), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        by_key, self._by_key = self._by_key, False
        self._let_go()
        if now is None or not by_key or now.window() is not self.window():
            return
        if isinstance(now, QAbstractScrollArea) and now.height() > 200:
            return  # a whole view shows its keyboard place itself
        self._target = now
        self._watched = _with_ancestors(now, self.window())
        for widget in self._watched:
            widget.installEventFilter(self)
        self._place()
        self.show()
        self.raise_()

    def _let_go(self) -> None:
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._watched = []
        self._target = None
        self.hide()

    def _place(self) -> None:
        if self._target is not None:
            corner = self._target.mapTo(self.window(), QPoint(0, 0))
            box = self._target.rect().translated(corner)
            self.setGeometry(box.adjusted(-_GAP, -_GAP, _GAP, _GAP))


def _with_ancestors(widget: QWidget, window: QWidget) -> list[QWidget]:
    """A widget and its parents below the window."""
    found = [widget]
    while (parent := found[-1].parentWidget()) is not None and parent is not window:
        found.append(parent)
    return found
