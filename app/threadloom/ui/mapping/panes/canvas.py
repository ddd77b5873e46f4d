# SPDX-License-Identifier: MIT
"""The canvas with its three linked panes."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
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
from threadloom.presentation.mapping.fitting import Viewport
from threadloom.presentation.mapping.hit_test import Target, TargetKind
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.modes import BlockColor, DataColor, Rank
from threadloom.presentation.mapping.palette import Palette
from threadloom.presentation.mapping.region import Kind, Selection
from threadloom.text import _
from threadloom.ui.mapping.controls.rubber_band import RubberBand
from threadloom.ui.mapping.controls.transitions import ConnectorTransition, ZoomFade
from threadloom.ui.mapping.layout.connectors import Connector
from threadloom.ui.mapping.layout.scene import Scene, Viewports
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Appearance

ZOOM_STEP = 1.25
STALE = 0.38


class Canvas(QWidget):
    """Draws one launch and says where a user points."""

    pointed = Signal(object)
    """Target below the pointer, or None."""
    clicked = Signal(object)
    """Target that was clicked."""
    left = Signal()
    """The pointer has gone."""
    selected = Signal(object)
    """Selection that a user has drawn, or None when it is let go."""
    tapped = Signal()
    """The space bar was pressed for itself, not to pan."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        nothing = MappingModel(Launch(Dim3(), Dim3()), Phase.PLANNED)
        self._drawing = Drawing(_palette(appearance), nothing, appearance=appearance)
        self._scene: Scene | None = None
        self._grid_viewport, self._data_viewport = Viewport(), Viewport()
        self._stale = False
        self._pan_from: QPointF | None = None
        self._space = self._panned = False
        self._turning = False
        self.calm = False
        """Whether changes happen at once."""
        self._band = RubberBand()
        self._transition = ConnectorTransition(self.update, self)
        self._fade = ZoomFade(self.update, self)
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

    def show_model(self, model: MappingModel, rank: Rank) -> None:
        """Draw another launch."""
        same = model.launch == self._drawing.model.launch and model.shape == (
            self._drawing.model.shape
        )
        if not same:
            self._grid_viewport, self._data_viewport = Viewport(), Viewport()
            self.select(None)
        z = min(self._drawing.slice, model.shape[0] - 1) if len(model.shape) == 3 else 0
        self._change(model=model, rank=rank, slice=max(0, z))

    def show_modes(self, blocks_by: BlockColor, data_by: DataColor, rank: Rank) -> None:
        """Color and lay out in another way."""
        if rank is not self._drawing.rank:
            self._grid_viewport, self._data_viewport = Viewport(), Viewport()
            self.select(None)
        self._change(blocks_by=blocks_by, data_by=data_by, rank=rank)

    def show_time(self, time_s: float, fade_s: float = 0.0) -> None:
        """Draw another time of the launch."""
        self._drawing = replace(self._drawing, time_s=time_s, fade_s=fade_s)
        self.update()

    def show_selected_thread(self, thread: ThreadId | None, element: int | None) -> None:
        """Mark another thread, or none; ``element`` is the one it wrote."""
        if thread is not None and not self._drawing.model.holds(thread):
            thread = None
        before, was = self._connectors(), self._drawing.thread
        self._drawing = replace(self._drawing, thread=thread, slice=self._slice_of(element))
        if self._scene is not None:
            self._scene.select_thread(self._drawing, element)
        if not self.calm and was is not None and thread is not None and was.block != thread.block:
            self._transition.start(before)
        self.update()

    def select(self, selection: Selection | None) -> None:
        """Frame blocks or elements, or let them go; of elements the first one is shown."""
        if selection is None:
            framed = self._band.frame is not None
            self._band.clear()
            if framed:
                self.selected.emit(None)
        elif selection.kind is Kind.ELEMENTS and selection.cells.size:
            element = int(selection.cells[0])
            self.show_selected_thread(None, element)
            self._band.show(self._ensured().data.rects_of(element)[-1])
            self.selected.emit(selection)
        self.update()

    def show_stale(self, stale: bool) -> None:
        """Dim a result that is older than what is chosen."""
        self._stale = stale
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show data, or the grid under the pointer, larger or smaller."""
        scene = self._ensured()
        point = at if at is not None else scene.data_middle()
        self._change_viewports(scene.zoomed(self._viewports, factor, point), point)

    def fit(self) -> None:
        """Show all blocks and elements."""
        self._change_viewports((Viewport(), Viewport()), self._ensured().data_middle())

    @property
    def _viewports(self) -> Viewports:
        return self._grid_viewport, self._data_viewport

    def _change_viewports(self, viewports: Viewports, about: QPointF) -> None:
        """Zoom; the pane as it was grows or shrinks away over the new one."""
        before = self._viewports
        if viewports == before:
            return
        pane = self._ensured().area_at(about)
        factor = max(
            (new.zoom / old.zoom for new, old in zip(viewports, before, strict=True)),
            key=lambda one: abs(math.log(one)),
        )
        if not self.calm and not pane.isEmpty() and factor != 1.0 and self.isVisible():
            self._fade.start(self.grab(pane.toRect()), pane, about, factor)
        self._grid_viewport, self._data_viewport = viewports
        self.select(None)
        self._forget()

    def turn_slice(self, by: int) -> None:
        """Show another slice of a solid."""
        shape = self._drawing.model.shape
        if len(shape) == 3:
            self._show_slice(min(max(0, self._drawing.slice + by), shape[0] - 1))

    def _show_slice(self, z: int | None) -> None:
        if z is not None and z != self._drawing.slice:
            self.select(None)
            self._change(slice=z)

    def paint(self, painter: QPainter, ratio: float) -> None:
        """Draw everything; also for pictures that are saved."""
        painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        if self._drawing.ratio != ratio:
            self._drawing = replace(self._drawing, ratio=ratio)
            self._scene = None
        if self._stale:
            painter.setOpacity(STALE)
        scene = self._ensured()
        scene.paint(painter, self._drawing, self._transition.now(scene.connectors(self._drawing)))
        self._fade.paint(painter)
        self._band.paint(painter, self._appearance)

    def _connectors(self) -> tuple[Connector, ...]:
        """Links as they are drawn now."""
        if self._scene is None:
            return ()
        return self._transition.now(self._scene.connectors(self._drawing))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the panes, the connectors and the marks."""
        painter = QPainter(self)
        self.paint(painter, self.devicePixelRatioF())

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Lay the panes out anew."""
        self.select(None)
        self._forget()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, turn slices, draw a rectangle, or point at what lies below."""
        at = event.position()
        if self._pan_from is not None:
            self._pan(at)
        elif self._turning:
            self._show_slice(self._ensured().turned(at))
        elif self._band.pressed:
            if self._band.move(at):
                self.update()
        else:
            self.pointed.emit(self.at(at))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to pan with the middle button or the space bar, to turn, or to select."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        left, at = event.button() is Qt.MouseButton.LeftButton, event.position()
        if event.button() is Qt.MouseButton.MiddleButton or (left and self._space):
            self._pan_from, self._panned = at, True
            return
        if left:
            target = self.at(at)
            self._turning = target is not None and target.kind is TargetKind.SLICE
            if self._turning and target is not None:
                self._show_slice(target.number)
                return
            self.select(None)
            self._band.press(at, self._ensured().pane_at(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what the rectangle holds; without one, pin what was clicked."""
        self._pan_from, self._turning = None, False
        if not self._band.pressed or event.button() is not Qt.MouseButton.LeftButton:
            return
        frame = self._band.release()
        if frame is not None:
            self.selected.emit(self._ensured().selection(frame))
        elif (target := self.at(event.position())) is not None:
            self.clicked.emit(target)

    def _pan(self, to: QPointF) -> None:
        if self._pan_from is None:
            return
        delta, self._pan_from = to - self._pan_from, to
        self._grid_viewport, self._data_viewport = self._ensured().panned(
            self._viewports, delta, to
        )
        self.select(None)
        self._forget()

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
        """Turn slices with the page keys, hold Space to pan; other keys belong to the mapping."""
        turns = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in turns:
            self.turn_slice(turns[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            if not event.isAutoRepeat():
                self._space, self._panned = True, False
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space that did not pan was pressed for itself."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat() or not self._space:
            super().keyReleaseEvent(event)
            return
        self._space = False
        self.unsetCursor()
        if not self._panned:
            self.tapped.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A space bar that is let go elsewhere does not pan here any more."""
        self._space = False
        self.unsetCursor()
        super().focusOutEvent(event)

    def at(self, point: QPointF) -> Target | None:
        """What lies at a point."""
        return None if self._drawing.model.phase is Phase.REFUSED else self._ensured().at(point)

    def _change(self, **changes: object) -> None:
        self._drawing = replace(self._drawing, **changes)  # type: ignore[arg-type]
        self._forget()

    def _slice_of(self, element: int | None) -> int:
        shape = self._drawing.model.shape
        if element is None or len(shape) != 3:
            return self._drawing.slice
        z = element // max(1, shape[1] * shape[2])
        if z != self._drawing.slice and self._drawing.rank is Rank.THREE:
            self._scene = None
        return z

    def _ensured(self) -> Scene:
        if self._scene is None:
            size = (self.width(), self.height())
            self._scene = Scene(self._drawing, size, self._grid_viewport, self._data_viewport)
        return self._scene

    def _forget(self) -> None:
        self._scene = None
        self.update()

    def _on_appearance_changed(self) -> None:
        self._change(palette=_palette(self._appearance))


def _palette(appearance: Appearance) -> Palette:
    return Palette.of(appearance.theme.colors, dark=appearance.theme.is_dark)
