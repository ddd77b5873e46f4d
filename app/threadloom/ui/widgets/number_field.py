# SPDX-License-Identifier: MIT
"""A field for a whole number, with a short prefix inside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QSizePolicy, QWidget

from threadloom.presentation.launch.number_text import LARGEST, parse_integer
from threadloom.text import count
from threadloom.ui.theme.theme import Appearance, Role

_PAUSE_MS = 150


class NumberField(QLineEdit):
    """A whole number that tells of a change 150 ms after the last key, or at once on Enter.

    What is not a number is kept as it was typed and told through `rejected`. Arrow up and down
    step by `step`; with `doubling` they double and halve.
    """

    edited = Signal(object)
    """int that a user has entered (a 32-bit signal could not hold it)."""
    rejected = Signal(str)
    """Text that is no whole number."""
    launch_pasted = Signal(str)
    """Pasted text that holds a whole launch, ``<<<…>>>``."""

    def __init__(
        self,
        appearance: Appearance,
        name: str,
        prefix: str = "",
        *,
        grouped: bool = False,
        doubling: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._prefix, self._grouped = appearance, prefix, grouped
        self._doubling = doubling
        self._value: int | None = None
        self._faulty = False
        self.setAccessibleName(name)
        self.setProperty("look", "field")
        self.setMaxLength(64)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._tell)
        self.textEdited.connect(self._on_text_edited)
        self.editingFinished.connect(self._on_editing_finished)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def value(self) -> int | None:
        """The number in the field, None while it holds something else."""
        return parse_integer(self.text())

    def set_value(self, value: int) -> None:
        """Show a number without telling of it; a text that means the same stays as it is."""
        self._value = value
        if self.value() != value or not self.hasFocus():
            self._pause.stop()
            self.setText(self._written(value))
            self.setCursorPosition(0)

    def set_faulty(self, faulty: bool, why: str = "") -> None:
        """Mark the field, or take the mark away; the reason is its description."""
        self.setAccessibleDescription(why)
        self.setToolTip(why)
        if faulty != self._faulty:
            self._faulty = faulty
            self.setProperty("faulty", faulty)
            self.style().unpolish(self)
            self.style().polish(self)
            self.update()

    @property
    def is_faulty(self) -> bool:
        """Whether the field is marked."""
        return self._faulty

    def sizeHint(self) -> QSize:
        """Room for about ten digits."""
        return QSize(96, 26)

    def minimumSizeHint(self) -> QSize:
        """Room for about four digits."""
        return QSize(54, 26)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with the arrow keys; look at a paste before the field takes it."""
        if event.matches(QKeySequence.StandardKey.Paste) and self._offer_paste():
            return
        if event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down} and not self.isReadOnly():
            self._step(event.key() == Qt.Key.Key_Up)
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel, so that scrolling changes no launch."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field, then the prefix."""
        super().paintEvent(event)
        if not self._prefix:
            return
        painter = QPainter(self)
        painter.setFont(self._appearance.font(Role.CAPTION))
        painter.setPen(QPen(self._appearance.color("text-3")))
        box = QRectF(8, 0, self.width(), self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._prefix)

    def _written(self, value: int) -> str:
        return count(value) if self._grouped else str(value)

    def _step(self, up: bool) -> None:
        value = self.value()
        if value is None:
            return
        if self._doubling and value >= 1:
            changed = value * 2 if up else max(1, value // 2)
        else:
            changed = value + (1 if up else -1)
        if abs(changed) <= LARGEST:
            self.setText(self._written(changed))
            self._tell()

    def _on_text_edited(self, text: str) -> None:
        if "<<<" in text:
            self._pause.stop()
            self._restore()
            self.launch_pasted.emit(text)
            return
        self._pause.start()

    def _offer_paste(self) -> bool:
        """Whether the clipboard held a whole launch, which is then told instead of pasted."""
        text = QApplication.clipboard().text()
        if "<<<" not in text:
            return False
        self.launch_pasted.emit(text)
        return True

    def _restore(self) -> None:
        if self._value is not None:
            self.setText(self._written(self._value))

    def _on_editing_finished(self) -> None:
        if self._pause.isActive():
            self._tell()
        value = self.value()
        if value is not None and not self._faulty:
            self.setText(self._written(value))

    def _tell(self) -> None:
        self._pause.stop()
        value = self.value()
        if value is None:
            self.rejected.emit(self.text())
        else:
            self._value = value
            self.edited.emit(value)

    def _on_appearance_changed(self) -> None:
        self.setFont(self._appearance.font(Role.CODE))
        self.setFixedHeight(self._appearance.scaled(26))
        small = QFontMetrics(self._appearance.font(Role.CAPTION))
        left = small.horizontalAdvance(self._prefix) + 4 if self._prefix else 1
        self.setTextMargins(left, 0, 0, 0)
