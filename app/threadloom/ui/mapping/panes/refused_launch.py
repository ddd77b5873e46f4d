# SPDX-License-Identifier: MIT
"""A launch that the device would refuse, drawn to scale: what was asked, and what is allowed."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from threadloom.presentation.over_limit import over_words
from threadloom.text import _, count, ngettext
from threadloom.ui.mapping.layout.arrangement import SIDE
from threadloom.ui.mapping.painting.annotations import hatch_brush, swatch, text
from threadloom.ui.mapping.painting.text_backdrop import Backdrop, Line, paint_backdrop
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role


def paint_refused(painter: QPainter, drawing: Drawing, width: int, height: int) -> None:
    """Fill the canvas with the refused launch."""
    grid, block, data = columns(width, height)
    _paint_joints(painter, drawing, grid, block, data)
    _paint_grid(painter, drawing, grid)
    _paint_block(painter, drawing, block, data.left() - block.left() - 8)
    _paint_data(painter, drawing, data)


def columns(width: int, height: int) -> tuple[QRectF, QRectF, QRectF]:
    """Where grid, block and data are drawn."""
    top, bottom = 46.0, height - 58.0
    side = max(20.0, min(bottom - top, (width - 140) * 0.345))
    grid = QRectF(SIDE, top, min(112.0, side), min(112.0, side))
    block = QRectF(SIDE + grid.width() + 68, top, side, side)
    left = block.right() + 52
    return grid, block, QRectF(left, top, max(40.0, width - SIDE - left), side)


def _paint_grid(painter: QPainter, drawing: Drawing, box: QRectF) -> None:
    blocks = drawing.model.launch.blocks
    words = ngettext("{n} block", "{n} blocks", blocks).format(n=count(blocks))
    _title(painter, drawing, box.left(), _("Grid"), words, box.width() + 60)
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    _frame(painter, drawing, box, 2)
    name = _("block 0") if blocks == 1 else words
    paint_backdrop(painter, drawing, Backdrop(box.center(), (Line(name, "error", bold=True),)))
    below = QPointF(box.left(), box.bottom() + 14)
    text(painter, drawing.appearance, below, _("not launched"), "error")


def _paint_block(painter: QPainter, drawing: Drawing, box: QRectF, room: float) -> None:
    launch, device = drawing.model.launch, drawing.model.device
    threads = launch.threads_per_block
    words = ngettext("{n} thread, drawn to scale", "{n} threads, drawn to scale", threads)
    _title(painter, drawing, box.left(), _("Block 0"), words.format(n=count(threads)), room)
    painter.setOpacity(painter.opacity() * 0.45)
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    painter.setOpacity(painter.opacity() / 0.45)
    _frame(painter, drawing, box, 1)
    if device is not None and threads > device.max_threads_per_block:
        _paint_allowed(painter, drawing, box, allowed_box(drawing, box))
        per_pixel = threads / max(1.0, box.width() * box.height())
        if per_pixel >= 1.5:
            below = QPointF(box.left(), box.bottom() + 14)
            scale = _("1 pixel is about {n} threads").format(n=count(per_pixel))
            text(painter, drawing.appearance, below, scale)
    for backdrop in block_backdrops(drawing, box):
        paint_backdrop(painter, drawing, backdrop)


def block_backdrops(drawing: Drawing, box: QRectF) -> list[Backdrop]:
    """What is written on the block: its threads and, where they are too many, the allowed ones."""
    model = drawing.model
    threads, device = model.launch.threads_per_block, model.device
    named = ngettext("{n} thread", "{n} threads", threads).format(n=count(threads))
    middle = QPointF(box.center().x(), box.center().y() + min(20.0, box.height() / 8))
    if device is None or threads <= device.max_threads_per_block:
        tone = "error" if model.invalid_launch is None else "text-2"
        return [Backdrop(middle, (Line(named, tone, bold=True),))]
    most = device.max_threads_per_block
    lines = (Line(named, "error", bold=True), Line(over_words(threads, most), "text-3"))
    allowed = _allowed_backdrop(drawing, box, most)
    asked = Backdrop(middle, lines)
    taken = allowed.box(drawing.appearance)
    return [allowed, asked.below(taken, box.bottom() - 2, drawing.appearance)]


def allowed_box(drawing: Drawing, box: QRectF) -> QRectF:
    """The part of the block that the device would take, by area."""
    device, threads = drawing.model.device, drawing.model.launch.threads_per_block
    share = device.max_threads_per_block / threads if device is not None else 1.0
    side = max(3.0, box.width() * math.sqrt(share))
    return QRectF(box.left(), box.top(), side, side)


def _allowed_backdrop(drawing: Drawing, box: QRectF, most: int) -> Backdrop:
    """Beside the elbow that leads to it: below what is allowed, or within it."""
    part = allowed_box(drawing, box)
    y = part.bottom() + 14
    if y > box.bottom() - 40:
        y = box.top() + 16
    left = _elbow_x(part) + 10
    for words in (_("limit: {n} threads"), _("limit: {n}")):
        line = Line(words.format(n=count(most)), "ok", bold=True)
        width = Backdrop(QPointF(), (line,)).box(drawing.appearance).width()
        if left + width <= box.right() - 2:
            break
    return Backdrop(QPointF(left + width / 2, y), (line,))


def _elbow_x(part: QRectF) -> float:
    return part.left() + min(6.5, part.width() / 2)


def _paint_allowed(painter: QPainter, drawing: Drawing, box: QRectF, part: QRectF) -> None:
    painter.fillRect(part, drawing.appearance.color("ok"))
    y = block_backdrops(drawing, box)[0].middle.y()
    painter.setPen(QPen(drawing.appearance.color("ok"), 1))
    elbow = QPointF(_elbow_x(part), y)
    painter.drawLine(QPointF(elbow.x(), part.bottom()), elbow)
    painter.drawLine(elbow, QPointF(elbow.x() + 8, y))


def _paint_data(painter: QPainter, drawing: Drawing, box: QRectF) -> None:
    model = drawing.model
    if not model.elements:
        return
    name = _("Data {array}").format(array=model.array)
    extents = " × ".join(count(extent) for extent in model.shape)
    _title(painter, drawing, box.left(), name, f"{extents} {model.dtype}", box.width())
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    lines = (
        Line(_("0 of {n} computed").format(n=count(model.elements)), "text", bold=True),
        Line(_("hatched: not written"), "text-2"),
    )
    paint_backdrop(painter, drawing, Backdrop(box.center(), lines, framed=True))
    at = QPointF(box.left(), box.bottom() + 14)
    appearance = drawing.appearance
    hatch = hatch_brush(drawing.palette, drawing.ratio)
    x = swatch(painter, appearance, at, _("not written"), hatch) + 12
    once = appearance.theme.mix("bg-canvas", "text-3", 0.6)
    x = swatch(painter, appearance, QPointF(x, at.y()), _("written once"), once) + 12
    if x + 130 < box.right() + SIDE:
        multiple = appearance.theme.color("s-c")
        swatch(painter, appearance, QPointF(x, at.y()), _("written multiple times"), multiple)


def _paint_joints(
    painter: QPainter, drawing: Drawing, grid: QRectF, block: QRectF, data: QRectF
) -> None:
    pen = QPen(drawing.appearance.color("error", 0.55), 1)
    pen.setDashPattern([2, 3])
    painter.setPen(pen)
    gaps = ((grid, block, 5), (block, data, 3))
    for first, second, space in gaps:
        top = first.top() + 0.5
        painter.drawLine(
            QPointF(first.right() + space, top), QPointF(second.left() - space, second.top() + 0.5)
        )
        painter.drawLine(
            QPointF(first.right() + space, first.bottom()),
            QPointF(second.left() - space, second.bottom()),
        )


def _title(
    painter: QPainter, drawing: Drawing, x: float, name: str, rest: str, room: float
) -> None:
    """Name and details in a column's room; the details end in an ellipsis where it is short."""
    end = text(painter, drawing.appearance, QPointF(x, 18), name, "text", Role.BODY, bold=True)
    metrics = QFontMetricsF(drawing.appearance.font(Role.CAPTION))
    shown = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, x + room - end - 8)
    text(painter, drawing.appearance, QPointF(end + 8, 18), shown)


def _frame(painter: QPainter, drawing: Drawing, box: QRectF, width: int) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(drawing.appearance.color("error"), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    inset = width / 2
    painter.drawRect(box.adjusted(inset, inset, -inset, -inset))
