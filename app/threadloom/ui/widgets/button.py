# SPDX-License-Identifier: MIT
"""Push buttons and icon buttons that follow the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from threadloom.ui.theme.icons import icon, pixmap
from threadloom.ui.theme.theme import Appearance, Role

_ICON = 16


class Button(QPushButton):
    """A button with a text and perhaps an icon before and a key after it.

    ``look`` is ``normal``, ``primary`` or ``quiet``; ``height`` 30 in the toolbar, 24 in a panel;
    a ``small`` one has the size of a caption.
    """

    def __init__(
        self,
        appearance: Appearance,
        text: str,
        look: str = "normal",
        *,
        icon: str = "",
        key: str = "",
        height: int = 24,
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._small = small
        self._appearance, self._look, self._glyph, self._key = appearance, look, icon, key
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(text)
        self.dot = False
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def show_face(self, text: str, *, icon: str = "", look: str | None = None) -> None:
        """Show another text, icon and look."""
        self.setText(text)
        self.setAccessibleName(text)
        self._glyph = icon
        self._look = look or self._look
        self._on_appearance_changed()

    def set_dot(self, dot: bool) -> None:
        """Mark the button with a dot: something waits for it."""
        self.dot = dot
        self.update()

    def sizeHint(self) -> QSize:
        """Room for icon, text and key."""
        return QSize(sum(self._widths()) + 2 * self._margin(), self.height())

    def minimumSizeHint(self) -> QSize:
        """A button never shortens its text."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box and what is on it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, edge, ink = self._tokens()
        painter.setPen(QPen(self._appearance.color(edge), 1) if edge else Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        self._draw_content(painter, ink)
        if self.dot:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._appearance.color("focus" if not self._look else ink))
            painter.drawEllipse(QRectF(self.width() - 9, 4, 5, 5))

    def _draw_content(self, painter: QPainter, ink: str) -> None:
        icon_width, text_width, key_width = self._widths()
        x = (self.width() - icon_width - text_width - key_width) / 2
        if self._glyph:
            drawn = pixmap(self._appearance, self._glyph, ink, _ICON, self.devicePixelRatioF())
            painter.drawPixmap(round(x), (self.height() - _ICON) // 2, drawn)
        painter.setPen(self._appearance.color(ink))
        painter.setFont(self.font())
        text_box = QRectF(x + icon_width, 0, text_width + 1, self.height())
        painter.drawText(text_box, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._key:
            self._draw_key(painter, QRectF(text_box.right() + 8, 0, key_width - 8, self.height()))

    def _draw_key(self, painter: QPainter, box: QRectF) -> None:
        painter.setFont(self._appearance.font(Role.CAPTION))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        tall = self._appearance.scaled(16)
        top = (self.height() - tall) // 2 + 0.5
        box = QRectF(round(box.left()) + 0.5, top, box.width() - 1, tall - 1)
        painter.drawRoundedRect(box, 3, 3)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)

    def _widths(self) -> tuple[int, int, int]:
        text = QFontMetrics(self.font()).horizontalAdvance(self.text())
        small = QFontMetrics(self._appearance.font(Role.CAPTION))
        key = small.horizontalAdvance(self._key) + 10 + 8 if self._key else 0
        return (_ICON + (7 if text else 0) if self._glyph else 0, text, key)

    def _margin(self) -> int:
        return 12 if self._height >= 28 else 8 if self._small else 9

    def _tokens(self) -> tuple[str, str, str]:
        """Fill, edge and ink for the state that the button is in; empty for none."""
        lit = self.underMouse() or self.isDown()
        if not self.isEnabled():
            return ("bg-panel", "border-subtle", "text-off")
        if self._look == "primary":
            fill = "accent-hover" if lit else "accent"
            return (fill, fill, "on-accent")
        if self.isChecked():
            return ("accent-soft", "accent", "accent-text")
        if self._look == "quiet":
            return ("bg-hover" if lit else "", "", "accent-text")
        return ("bg-hover" if lit else "bg-raised", "border-strong", "text")

    def _on_appearance_changed(self) -> None:
        font = self._appearance.font(Role.BUTTON)
        if self._small:
            font.setPixelSize(self._appearance.font(Role.CAPTION).pixelSize())
        self.setFont(font)
        self.setFixedHeight(self._appearance.scaled(self._height))
        self.updateGeometry()
        self.update()


class IconButton(QToolButton):
    """An icon of 16 px in a target of 28 px; its name is told to screen readers and as a tip."""

    def __init__(
        self,
        appearance: Appearance,
        icon_name: str,
        name: str,
        tone: str = "text-2",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._icon_name, self._tone = appearance, icon_name, tone
        self.setProperty("look", "icon")
        self.setIconSize(QSize(_ICON, _ICON))
        self.setFixedSize(28, 28)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setToolTip(name)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def show_icon(self, icon_name: str, name: str) -> None:
        """Stand for something else."""
        self._icon_name = icon_name
        self.setAccessibleName(name)
        self.setToolTip(name)
        self._on_appearance_changed()

    def _on_appearance_changed(self) -> None:
        self.setIcon(icon(self._appearance, self._icon_name, self._tone))
