# SPDX-License-Identifier: MIT
"""The canvas with its three linked panes."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.text import _
from threadloom.ui.mapping.drawing import Drawing
from threadloom.ui.mapping.fitting import Look
from threadloom.ui.mapping.modes import BlockColour, DataColour, Rank
from threadloom.ui.mapping.palette import Palette
from threadloom.ui.mapping.pointing import Pointed, PointedAt
from threadloom.ui.mapping.scene import Scene
from threadloom.ui.mapping.subject import Phase, Subject
from threadloom.ui.theme import Appearance

ZOOM_STEP = 1.25
STALE = 0.38


class Canvas(QWidget):
    """Draws one launch and says where a person points."""

    pointed = Signal(object)
    """PointedAt below the pointer, or None."""
    clicked = Signal(object)
    """PointedAt that was clicked."""
    left = Signal()
    """The pointer has gone."""
    moved = Signal(object)
    """ThreadId to follow instead, by keyboard."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        nothing = Subject(Launch(Dim3(), Dim3()), Phase.PLANNED)
        self._drawing = Drawing(appearance, Palette.of(appearance.theme), nothing)
        self._scene: Scene | None = None
        self._grid_look, self._data_look = Look(), Look()
        self._stale = False
        self._drag_from: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Mapping of blocks, threads and elements"))
        appearance.changed.connect(self._on_appearance_changed)

    @property
    def drawing(self) -> Drawing:
        """What is drawn."""
        return self._drawing

    def sizeHint(self) -> QSize:
        """The canvas of the usual window."""
        return QSize(872, 352)

    def minimumSizeHint(self) -> QSize:
        """Room for three small panes."""
        return QSize(480, 90)

    def show_subject(self, subject: Subject, rank: Rank) -> None:
        """Draw another launch."""
        same = subject.launch == self._drawing.subject.launch and subject.shape == (
            self._drawing.subject.shape
        )
        if not same:
            self._grid_look, self._data_look = Look(), Look()
        z = min(self._drawing.slice, subject.shape[0] - 1) if len(subject.shape) == 3 else 0
        self._change(subject=subject, rank=rank, slice=max(0, z))

    def show_modes(self, blocks_by: BlockColour, data_by: DataColour, rank: Rank) -> None:
        """Colour and lay out in another way."""
        if rank is not self._drawing.rank:
            self._grid_look, self._data_look = Look(), Look()
        self._change(blocks_by=blocks_by, data_by=data_by, rank=rank)

    def show_time(self, time_s: float, fade_s: float = 0.0) -> None:
        """Draw another time of the launch."""
        self._drawing = replace(self._drawing, time_s=time_s, fade_s=fade_s)
        self.update()

    def show_followed(self, thread: ThreadId | None, element: int | None) -> None:
        """Mark another thread, or none; ``element`` is the one it wrote."""
        if thread is not None and not self._drawing.subject.holds(thread):
            thread = None
        self._drawing = replace(self._drawing, thread=thread, slice=self._slice_of(element))
        if self._scene is not None:
            self._scene.follow(self._drawing, element)
        self.update()

    def show_stale(self, stale: bool) -> None:
        """Dim a result that is older than what is chosen."""
        self._stale = stale
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show data, or the grid under the pointer, larger or smaller."""
        scene = self._ensured()
        point = at if at is not None else scene.data_middle()
        self._grid_look, self._data_look = scene.zoomed(
            (self._grid_look, self._data_look), factor, point
        )
        self._forget()

    def fit(self) -> None:
        """Show all blocks and elements."""
        self._grid_look, self._data_look = Look(), Look()
        self._forget()

    def turn_slice(self, by: int) -> None:
        """Show another slice of a solid."""
        shape = self._drawing.subject.shape
        if len(shape) == 3:
            self._change(slice=min(max(0, self._drawing.slice + by), shape[0] - 1))

    def paint(self, painter: QPainter, ratio: float) -> None:
        """Draw everything; also for pictures that are saved."""
        painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        if self._drawing.ratio != ratio:
            self._drawing = replace(self._drawing, ratio=ratio)
            self._scene = None
        if self._stale:
            painter.setOpacity(STALE)
        self._ensured().paint(painter, self._drawing)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the panes, the links and the marks."""
        painter = QPainter(self)
        self.paint(painter, self.devicePixelRatioF())

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Lay the panes out anew."""
        self._forget()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at what lies below, or pan."""
        if self._drag_from is not None:
            delta = event.position() - self._drag_from
            self._drag_from = event.position()
            looks = (self._grid_look, self._data_look)
            self._grid_look, self._data_look = self._ensured().panned(
                looks, delta, event.position()
            )
            self._forget()
            return
        self.pointed.emit(self.at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pin with the left button, pan with the middle one."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() is Qt.MouseButton.MiddleButton:
            self._drag_from = event.position()
            return
        if event.button() is Qt.MouseButton.LeftButton:
            target = self.at(event.position())
            if target is not None and target.kind is Pointed.SLICE:
                self._change(slice=target.number)
            elif target is not None:
                self.clicked.emit(target)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Stop panning."""
        self._drag_from = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        steps = event.angleDelta().y() / 120
        if steps:
            self.zoom(ZOOM_STEP**steps, event.position())
        event.accept()

    def leaveEvent(self, _event: QEvent) -> None:
        """Say that nobody points."""
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn slices with the page keys; other keys belong to the mapping."""
        turns = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in turns:
            self.turn_slice(turns[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def at(self, point: QPointF) -> PointedAt | None:
        """What lies at a point."""
        return None if self._drawing.subject.phase is Phase.REFUSED else self._ensured().at(point)

    def rects_of_followed(self) -> list[QRectF]:
        """Where the rings are."""
        return self._ensured().rings(self._drawing)

    def _change(self, **changes: object) -> None:
        self._drawing = replace(self._drawing, **changes)  # type: ignore[arg-type]
        self._forget()

    def _slice_of(self, element: int | None) -> int:
        shape = self._drawing.subject.shape
        if element is None or len(shape) != 3:
            return self._drawing.slice
        z = element // max(1, shape[1] * shape[2])
        if z != self._drawing.slice and self._drawing.rank is Rank.THREE:
            self._scene = None
        return z

    def _ensured(self) -> Scene:
        if self._scene is None:
            size = (self.width(), self.height())
            self._scene = Scene(self._drawing, size, self._grid_look, self._data_look)
        return self._scene

    def _forget(self) -> None:
        self._scene = None
        self.update()

    def _on_appearance_changed(self) -> None:
        self._change(palette=Palette.of(self._appearance.theme))
