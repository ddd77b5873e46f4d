# SPDX-License-Identifier: MIT
"""A launch that the device would refuse, drawn to scale: what was asked, and what is allowed."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from threadloom.text import _, count, ngettext
from threadloom.ui.mapping.arrangement import SIDE
from threadloom.ui.mapping.drawing import Drawing
from threadloom.ui.mapping.marks import hatch_brush, swatch, text, text_width
from threadloom.ui.over_limit import over_words
from threadloom.ui.theme import Role


def paint_refused(painter: QPainter, drawing: Drawing, width: int, height: int) -> None:
    """Fill the canvas with the refused launch."""
    top, bottom = 46.0, height - 58.0
    side = max(20.0, min(bottom - top, (width - 140) * 0.345))
    grid = QRectF(SIDE, top, min(112.0, side), min(112.0, side))
    block = QRectF(SIDE + grid.width() + 68, top, side, side)
    left = block.right() + 52
    data = QRectF(left, top, max(40.0, width - SIDE - left), side)
    _paint_joints(painter, drawing, grid, block, data)
    _paint_grid(painter, drawing, grid)
    _paint_block(painter, drawing, block)
    _paint_data(painter, drawing, data)


def _paint_grid(painter: QPainter, drawing: Drawing, box: QRectF) -> None:
    blocks = drawing.subject.launch.blocks
    words = ngettext("{n} block", "{n} blocks", blocks).format(n=count(blocks))
    _title(painter, drawing, box.left(), _("Grid"), words)
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    _frame(painter, drawing, box, 2)
    name = _("block 0") if blocks == 1 else words
    _plate(painter, drawing, box.center(), [(name, "error", True)], box.width() - 12)
    below = QPointF(box.left(), box.bottom() + 14)
    text(painter, drawing.appearance, below, _("refused"), "error")


def _paint_block(painter: QPainter, drawing: Drawing, box: QRectF) -> None:
    launch, device = drawing.subject.launch, drawing.subject.device
    threads = launch.threads_per_block
    words = ngettext("{n} thread, drawn to scale", "{n} threads, drawn to scale", threads)
    _title(painter, drawing, box.left(), _("Block 0"), words.format(n=count(threads)))
    painter.setOpacity(painter.opacity() * 0.45)
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    painter.setOpacity(painter.opacity() / 0.45)
    _frame(painter, drawing, box, 1)
    named = ngettext("{n} thread", "{n} threads", threads).format(n=count(threads))
    lines = [(named, "error", True)]
    if device is not None and threads > device.max_threads_per_block:
        most = device.max_threads_per_block
        lines.append((over_words(threads, most), "text-3", False))
        _paint_allowed(painter, drawing, box, most / threads, most)
        per_pixel = threads / max(1.0, box.width() * box.height())
        if per_pixel >= 1.5:
            below = QPointF(box.left(), box.bottom() + 14)
            scale = _("1 pixel is about {n} threads").format(n=count(per_pixel))
            text(painter, drawing.appearance, below, scale)
    elif drawing.subject.refusal is not None:
        lines = [(named, "text-2", True)]
    middle = QPointF(box.center().x(), box.center().y() + min(20.0, box.height() / 8))
    _plate(painter, drawing, middle, lines, box.width() - 12)


def _paint_allowed(
    painter: QPainter, drawing: Drawing, box: QRectF, share: float, most: int
) -> None:
    """The part of the block that the device would take, by area."""
    side = max(3.0, box.width() * math.sqrt(share))
    allowed = QRectF(box.left(), box.top(), side, side)
    painter.fillRect(allowed, drawing.appearance.color("ok"))
    words = _("allowed: {n} threads").format(n=count(most))
    y = allowed.bottom() + 14
    if y > box.bottom() - 40:
        y = box.top() + 16
    painter.setPen(QPen(drawing.appearance.color("ok"), 1))
    elbow = QPointF(box.left() + min(6.5, side / 2), y)
    painter.drawLine(QPointF(elbow.x(), allowed.bottom()), elbow)
    painter.drawLine(elbow, QPointF(elbow.x() + 8, y))
    middle = QPointF(elbow.x() + 14 + text_width(drawing.appearance, words) / 2, y)
    _plate(painter, drawing, middle, [(words, "ok", True)], box.width() - 24)


def _paint_data(painter: QPainter, drawing: Drawing, box: QRectF) -> None:
    subject = drawing.subject
    if not subject.elements:
        return
    name = _("Data {array}").format(array=subject.array)
    extents = " × ".join(count(extent) for extent in subject.shape)
    _title(painter, drawing, box.left(), name, f"{extents} {subject.dtype}")
    painter.fillRect(box, hatch_brush(drawing.palette, drawing.ratio))
    lines = [
        (_("0 of {n} computed").format(n=count(subject.elements)), "text", True),
        (_("hatched means no thread wrote it"), "text-2", False),
    ]
    _plate(painter, drawing, box.center(), lines, box.width() - 12, framed=True)
    at = QPointF(box.left(), box.bottom() + 14)
    appearance = drawing.appearance
    hatch = hatch_brush(drawing.palette, drawing.ratio)
    x = swatch(painter, appearance, at, _("never written"), hatch) + 12
    once = appearance.theme.mix("bg-canvas", "text-3", 0.6)
    x = swatch(painter, appearance, QPointF(x, at.y()), _("written once"), once) + 12
    if x + 130 < box.right() + SIDE:
        several = appearance.theme.color("s-c")
        swatch(painter, appearance, QPointF(x, at.y()), _("written more than once"), several)


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


def _title(painter: QPainter, drawing: Drawing, x: float, name: str, rest: str) -> None:
    end = text(painter, drawing.appearance, QPointF(x, 18), name, "text", Role.BODY, bold=True)
    text(painter, drawing.appearance, QPointF(end + 8, 18), rest)


def _frame(painter: QPainter, drawing: Drawing, box: QRectF, width: int) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(drawing.appearance.color("error"), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    inset = width / 2
    painter.drawRect(box.adjusted(inset, inset, -inset, -inset))


def _plate(
    painter: QPainter,
    drawing: Drawing,
    middle: QPointF,
    lines: list[tuple[str, str, bool]],
    most: float,
    *,
    framed: bool = False,
) -> None:
    """Lines of text on a small ground, so that they read above hatching."""
    widths = [text_width(drawing.appearance, words, Role.BODY) + 8 for words, _tone, _bold in lines]
    width = min(max(widths) + (20 if framed else 8), max(most, 40))
    height = 18 * len(lines) + (24 if framed else 4)
    box = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height).toRect()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill, edge = ("bg-raised", "border-strong") if framed else ("bg-canvas", "bg-canvas")
    painter.setPen(QPen(drawing.appearance.color(edge), 1))
    painter.setBrush(drawing.appearance.color(fill))
    radius = 8 if framed else 3
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for number, (words, tone, bold) in enumerate(lines):
        y = box.center().y() + (number - (len(lines) - 1) / 2) * 18
        x = middle.x() - (text_width(drawing.appearance, words, Role.BODY) + (3 if bold else 0)) / 2
        text(painter, drawing.appearance, QPointF(x, y), words, tone, Role.BODY, bold=bold)
