# SPDX-License-Identifier: MIT
"""The pane of one block's threads, with the statements of a warp below."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import WARP_SIZE, ThreadId
from threadloom.model.trace import AccessKind, Space
from threadloom.presentation.mapping.access_times import steps
from threadloom.presentation.mapping.coordinates import coordinates
from threadloom.presentation.mapping.statements import Statement, opening, statements_of
from threadloom.presentation.mapping.thread_colors import shade_threads
from threadloom.presentation.mapping.warp_lattice import lay_out_threads
from threadloom.text import _, count, ngettext
from threadloom.ui.mapping.layout.arrangement import LABELS
from threadloom.ui.mapping.painting.annotations import swatch, text, text_width
from threadloom.ui.mapping.painting.cell_image import CellPicture, gap_of
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

LARGEST = 28
STATEMENT_HEIGHT = 15
STATEMENTS_HEADING = 34


Colors = dict[tuple[Space, AccessKind | None], QColor]
"""Colors of kinds of access; None for what touches no memory."""


class BlockPane:
    """Threads of the selected block."""

    def __init__(self, drawing: Drawing, area: QRect, *, short: bool) -> None:
        self._drawing = drawing
        self.area = area
        self._short = short
        self._labels = drawing.appearance.scaled(LABELS)
        self._line = drawing.appearance.scaled(STATEMENT_HEIGHT)
        ratio = drawing.ratio
        self.statements = [] if short else _statements(drawing)
        largest = round(LARGEST * ratio)
        height = round(_threads_height(area, drawing, len(self.statements)) * ratio)
        block = drawing.model.launch.block
        self.lattice = lay_out_threads(block, round(area.width() * ratio), height, largest)
        if not self._room_for_statements():
            self.statements = []
            full = round(area.height() * ratio)
            self.lattice = lay_out_threads(block, round(area.width() * ratio), full, largest)
        shading, self._idle = shade_threads(drawing, self.lattice)
        gap = gap_of(min(self.lattice.across, self.lattice.down), ratio)
        self.picture = CellPicture(
            QPoint(area.topLeft()), ratio, self.lattice, shading, drawing.palette, gap
        )

    @property
    def cells(self) -> QRectF:
        """What the threads take of the area."""
        width, height = self.lattice.size
        ratio = self._drawing.ratio
        return QRectF(self.area.left(), self.area.top(), width / ratio, height / ratio)

    @property
    def left_edge(self) -> float:
        """Left end of the warps' names."""
        launch = self._drawing.model.launch
        if not self.lattice.group:
            return float(self.area.left())
        name = _("warp {n}").format(n=launch.warps_per_block - 1)
        return self.area.left() - 6 - text_width(self._drawing.appearance, name, bold=True)

    def thread_at(self, point: QPointF) -> Dim3 | None:
        """Thread under a point."""
        if not self.cells.contains(point):
            return None
        index = self.picture.index_at(point)
        return None if index is None else self._drawing.model.launch.block.at(index)

    def rect_of(self, thread: Dim3) -> QRectF:
        """Where a thread lies."""
        return self.picture.rect_of(self._drawing.model.launch.block.linear(thread))

    def rect_of_warp(self) -> QRectF | None:
        """Rows of the selected warp."""
        if self._drawing.thread is None:
            return None
        warp, _lane = self._drawing.thread.warp_and_lane(self._drawing.model.launch)
        if not self.lattice.group:
            return None
        return self.picture.rect(self.lattice.box_of_warp(warp), self.picture.gap)

    def title(self) -> tuple[str, str]:
        """Name of the block, and how its threads are made up."""
        launch = self._drawing.model.launch
        name = _("Block {block}").format(block=coordinates(self._drawing.block, launch.grid))
        warps = ngettext("{n} warp", "{n} warps", launch.warps_per_block).format(
            n=count(launch.warps_per_block)
        )
        shape = " × ".join(count(extent) for extent in tuple(launch.block)[: launch.block.rank])
        threads = ngettext(
            "{shape} thread in {warps}", "{shape} threads in {warps}", launch.threads_per_block
        ).format(shape=shape, warps=warps)
        if launch.block.rank == 1 and launch.block.x % WARP_SIZE == 0:
            threads = _("{threads} of 32").format(threads=threads)
        elif self.lattice.group > 1 and launch.block.rank > 1:
            threads = _("{threads} of {rows} rows").format(threads=threads, rows=self.lattice.group)
        return name, threads

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw threads, the names of warps and lanes, and the statements."""
        image = self.picture.image(drawing.time_s, faults=False, fade_s=drawing.fade_s)
        painter.drawImage(self.area.topLeft(), image)
        self._paint_idle(painter, drawing)
        if not self._short:
            self._paint_lanes(painter, drawing)
        self._paint_warps(painter, drawing)
        if self.statements and drawing.thread is not None:
            self._paint_statements(painter, drawing, drawing.thread)

    def _paint_idle(self, painter: QPainter, drawing: Drawing) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(drawing.appearance.color("border-control"), 0))
        outlines = [
            self.picture.rect_of(int(index)).adjusted(0.5, 0.5, -0.5, -0.5)
            for index in self._idle.nonzero()[0]
        ]
        painter.drawRects(outlines)

    def _paint_lanes(self, painter: QPainter, drawing: Drawing) -> None:
        columns = self.lattice.columns
        step = 8 if columns > 16 else 4 if columns > 8 else 1
        shown = [*range(0, columns - 1, step), columns - 1]
        if columns > WARP_SIZE:
            shown = [0, columns // 2, columns - 1]
        for column in dict.fromkeys(shown):
            words = count(column)
            rect = self.picture.rect_of(column)
            x = rect.center().x() - text_width(drawing.appearance, words) / 2
            text(painter, drawing.appearance, QPointF(x, self.area.top() - 9), words)

    def _paint_warps(self, painter: QPainter, drawing: Drawing) -> None:
        if not self.lattice.group:
            return
        launch = drawing.model.launch
        selected_thread = drawing.thread.warp_and_lane(launch)[0] if drawing.thread else -1
        last_y = -100.0
        for warp in range(launch.warps_per_block):
            rect = self.picture.rect(self.lattice.box_of_warp(warp), self.picture.gap)
            if warp != selected_thread and not self._label_fits(
                rect, last_y, warp, selected_thread
            ):
                continue
            tone = "focus" if warp == selected_thread else "text-3"
            words = _("warp {n}").format(n=warp)
            x = self.area.left() - 6 - text_width(drawing.appearance, words)
            at = QPointF(x, rect.center().y())
            text(painter, drawing.appearance, at, words, tone, bold=warp == selected_thread)
            last_y = rect.center().y()
        if (rect_of_warp := self.rect_of_warp()) is not None and launch.warps_per_block > 1:
            painter.setPen(QPen(drawing.appearance.color("focus"), 0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect_of_warp.adjusted(-1.5, -1.5, 1.5, 1.5))

    def _label_fits(self, rect: QRectF, last_y: float, warp: int, selected_thread: int) -> bool:
        line = QFontMetricsF(self._drawing.appearance.font(Role.CAPTION)).height() - 2
        if rect.center().y() - last_y < line:
            return False
        if selected_thread < 0:
            return True
        box = self.lattice.box_of_warp(selected_thread)
        return abs(self.picture.rect(box).center().y() - rect.center().y()) >= line

    def _room_for_statements(self) -> bool:
        scaled = self._drawing.appearance.scaled
        needed = scaled(STATEMENTS_HEADING + 20) + self._line * min(len(self.statements), 2)
        return bool(self.statements) and self.cells.height() + needed <= self.area.height()

    def _paint_statements(self, painter: QPainter, drawing: Drawing, thread: ThreadId) -> None:
        warp, lane = thread.warp_and_lane(drawing.model.launch)
        top = self.cells.bottom() + drawing.appearance.scaled(22)
        heading = _("Warp {n}, statement by statement").format(n=warp)
        left = QPointF(self.area.left() - self._labels, top)
        text(painter, drawing.appearance, left, heading, "text", Role.BODY, bold=True)
        top += drawing.appearance.scaled(12)
        reached = self._step(drawing)
        room = self.area.bottom() + 20 - top - 22
        shown = self.statements[: max(1, int(room // self._line))]
        colors = statement_colors(drawing)
        within = (warp + 1) / max(1, drawing.model.launch.warps_per_block)
        for number, statement in enumerate(shown):
            y = top + number * self._line
            done = reached > 0 if statement.kind is None else statement.first + within <= reached
            self._paint_statement(painter, drawing, statement, y, colors, done=done)
        height = len(shown) * self._line
        self._paint_lane(painter, drawing, lane, QRectF(0, top, 0, height))
        self._paint_legend(painter, drawing, shown, top + height + 13, colors)

    def _paint_statement(
        self,
        painter: QPainter,
        drawing: Drawing,
        statement: Statement,
        y: float,
        colors: Colors,
        *,
        done: bool,
    ) -> None:
        font = drawing.appearance.font(Role.CODE)
        metrics = QFontMetricsF(font)
        words = statement.label
        if metrics.horizontalAdvance(words) > self._labels - 3:
            short = f"{statement.array}[…]" if statement.array else words
            words = metrics.elidedText(short, Qt.TextElideMode.ElideRight, self._labels)
        middle = y + self._line / 2 - 1
        at = QPointF(self.area.left() - self._labels, middle)
        text(painter, drawing.appearance, at, words, "text-3", Role.CODE)
        full = colors[statement.space, statement.kind]
        color = full if done else drawing.appearance.color("cell-wait")
        pale = QColor(color)
        pale.setAlphaF(0.25)
        for lane in range(WARP_SIZE):
            cell = self._lane_rect(lane, y, self._line - 2)
            painter.fillRect(cell, color if statement.lanes[lane] else pale)

    def _lane_rect(self, lane: int, y: float, height: float) -> QRectF:
        pitch = self.cells.width() / max(self.lattice.columns, 1)
        if self.lattice.columns != WARP_SIZE:
            pitch = min(self.area.width() / WARP_SIZE, 9)
        left = self.area.left() + round(lane * pitch)
        return QRectF(left, y, round((lane + 1) * pitch) - round(lane * pitch) - 1, height)

    def _paint_lane(self, painter: QPainter, drawing: Drawing, lane: int, rows: QRectF) -> None:
        cell = self._lane_rect(lane, rows.top(), rows.height() - 2).adjusted(-1.5, -2, 1.5, 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(drawing.appearance.color("focus"), 1.5)
        painter.setPen(pen)
        painter.drawRect(cell)

    def _paint_legend(
        self,
        painter: QPainter,
        drawing: Drawing,
        shown: list[Statement],
        y: float,
        colors: Colors,
    ) -> None:
        if y > self.area.bottom() + 30:
            return
        names: dict[tuple[Space, AccessKind | None], str] = {
            (Space.GLOBAL, None): _("integer"),
            (Space.GLOBAL, AccessKind.READ): _("read"),
            (Space.GLOBAL, AccessKind.WRITE): _("write"),
            (Space.GLOBAL, AccessKind.ATOMIC): _("atomic"),
            (Space.SHARED, AccessKind.READ): _("shared read"),
            (Space.SHARED, AccessKind.WRITE): _("shared write"),
            (Space.SHARED, AccessKind.ATOMIC): _("shared atomic"),
        }
        x = float(self.area.left() - self._labels)
        for key in dict.fromkeys((statement.space, statement.kind) for statement in shown):
            x = swatch(painter, drawing.appearance, QPointF(x, y), names[key], colors[key]) + 12

    def _step(self, drawing: Drawing) -> float:
        """How far the block is, in steps of its threads, at the play head."""
        trace = drawing.model.trace_of(drawing.block)
        if trace is None or not trace.step.size or drawing.model.timeline is None:
            return float("inf")
        return step_reached(drawing, steps(trace))


def step_reached(drawing: Drawing, whole: int) -> float:
    """How many of its steps the selected block has made at the play head."""
    timeline = drawing.model.timeline
    if timeline is None or not timeline.start_s.size:
        return float("inf")
    at = min(drawing.block_number // timeline.stride, timeline.start_s.size - 1)
    start, end = float(timeline.start_s[at]), float(timeline.end_s[at])
    if drawing.time_s >= end:
        return float("inf")
    share = (drawing.time_s - start) / max(end - start, 1e-15)
    return max(0.0, share) * whole + 1e-6 * (share > 0)


def statement_colors(drawing: Drawing) -> Colors:
    """Colors of kinds of access."""
    color = drawing.appearance.color
    return {
        (Space.GLOBAL, None): drawing.appearance.theme.mix("bg-canvas", "text-3", 0.6),
        (Space.GLOBAL, AccessKind.READ): color("s-h2d"),
        (Space.GLOBAL, AccessKind.WRITE): color("s-kernel"),
        (Space.GLOBAL, AccessKind.ATOMIC): color("wave-5"),
        (Space.SHARED, AccessKind.READ): color("s-d2h"),
        (Space.SHARED, AccessKind.WRITE): drawing.appearance.theme.mix(
            "s-kernel", "bg-canvas", 0.4
        ),
        (Space.SHARED, AccessKind.ATOMIC): color("wave-5"),
    }


def _statements(drawing: Drawing) -> list[Statement]:
    thread, model = drawing.thread, drawing.model
    if thread is None:
        return []
    trace = model.trace_of(thread.block)
    if trace is None or not trace.step.size:
        return []
    warp, _lane = thread.warp_and_lane(model.launch)
    found = statements_of(trace, model.sites, model.source, warp)
    lanes = np.arange(WARP_SIZE) < model.launch.threads_per_block - warp * WARP_SIZE
    first = min((one.line for one in found if one.line > 0), default=0)
    return opening(model.source, model.entry, first, lanes) + found


def _threads_height(area: QRect, drawing: Drawing, statements: int) -> int:
    if not statements:
        return area.height()
    scaled = drawing.appearance.scaled
    wanted = scaled(STATEMENTS_HEADING) + scaled(STATEMENT_HEIGHT) * statements + 4
    return max(area.height() // 2, area.height() - wanted)
