# SPDX-License-Identifier: MIT
"""Captions and legends below or beside the panes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter

from threadloom.presentation.mapping.colormap import Colors
from threadloom.presentation.mapping.mapping_model import Phase
from threadloom.presentation.mapping.modes import BlockColor, DataColor
from threadloom.presentation.mapping.palette import WAVES, Palette
from threadloom.text import _, count, duration, percent
from threadloom.ui.mapping.painting.annotations import (
    SWATCH,
    as_color,
    color_bar,
    hatch_brush,
    swatch,
    text,
    text_width,
)
from threadloom.ui.mapping.panes.data_pane import DataPane
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

Entry = tuple[tuple[QColor | QBrush, ...], str]
"""Fills and words of one swatch."""
_WAVES_ONE_BY_ONE = 4
BAR_HEIGHT = 8
SPACE = 9


def paint_block_legend(painter: QPainter, drawing: Drawing, at: QPointF, width: float) -> None:
    """What the colors of the grid mean."""
    if drawing.blocks_by is BlockColor.SM and drawing.model.timeline is not None:
        sms = drawing.model.device.sm_count if drawing.model.device else 1
        box = QRectF(at.x(), at.y() - 6, min(110, width), BAR_HEIGHT)
        ends = (_("SM {n}").format(n=0), _("SM {n}").format(n=sms - 1))
        color_bar(painter, drawing.appearance, drawing.palette, box, ends)
        pale = as_color(drawing.palette.waiting(drawing.palette.ramp[128]))
        beside = QPointF(box.right() + SPACE, box.center().y())
        swatch(painter, drawing.appearance, beside, _("pending"), pale)
        return
    edges = {} if drawing.palette.dark else {_("running"): as_color(_running_base(drawing))}
    _paint_swatches(painter, drawing, at, width, _block_entries(drawing), edges)


def _running_base(drawing: Drawing) -> Colors:
    """Full color of the cell that stands for running ones."""
    timeline = drawing.model.timeline
    multiple_writers = timeline is not None and timeline.waves > 1
    by_wave = drawing.blocks_by is BlockColor.WAVE and multiple_writers
    base: Colors = drawing.palette.waves[1 if by_wave else 0]
    return base


def _block_entries(drawing: Drawing) -> list[Entry]:
    palette, timeline = drawing.palette, drawing.model.timeline
    base = palette.waves[0]
    if drawing.blocks_by is BlockColor.WAVE and timeline is not None and timeline.waves > 1:
        running = as_color(palette.running(_running_base(drawing)))
        return [*_wave_entries(palette, timeline.waves), ((running,), _("running"))]
    return [
        ((as_color(palette.waiting(base)),), _("pending")),
        ((as_color(palette.running(base)),), _("running")),
        ((as_color(base),), _("done")),
    ]


def _wave_entries(palette: Palette, waves: int) -> list[Entry]:
    """A swatch for each wave while there are few, else one for all of their colors."""
    colors = [as_color(palette.waves[number]) for number in range(min(waves, WAVES))]
    if waves <= _WAVES_ONE_BY_ONE:
        named = [((color,), str(number + 1)) for number, color in enumerate(colors)]
        last = _("{n} wave").format(n=waves)
        return [*named[:-1], (named[-1][0], last)]
    words = _("waves 1 to {n}") if waves <= WAVES else _("waves 1 to {n}, repeating")
    return [(tuple(colors), words.format(n=len(colors)))]


def _paint_swatches(
    painter: QPainter,
    drawing: Drawing,
    at: QPointF,
    width: float,
    entries: list[Entry],
    edges: Mapping[str, QColor] = MappingProxyType({}),
) -> None:
    x, y = at.x(), at.y()
    lowest = painter.window().bottom() - 10
    for fills, words in entries:
        needed = text_width(drawing.appearance, words) + SWATCH * len(fills) + 5
        if x > at.x() and x + needed > at.x() + width:
            x, y = at.x(), y + 16
            if y > lowest:
                break
        edge = edges.get(words)
        x = swatch(painter, drawing.appearance, QPointF(x, y), words, *fills, edge=edge) + SPACE


def paint_data_legend(
    painter: QPainter, drawing: Drawing, at: QPointF, width: float, *, low: bool = False
) -> None:
    """What the colors of the data mean; where it is ``low``, there is no room for lines below."""
    ran = drawing.model.phase is Phase.RAN
    if ran and drawing.data_by is DataColor.WHEN and drawing.model.timeline is not None:
        _paint_when(painter, drawing, at, width, low=low)
        return
    _paint_swatches(painter, drawing, at, width, data_entries(drawing))


def data_entries(drawing: Drawing) -> list[Entry]:
    """Swatches of the data's legend, other than a color bar."""
    palette, model = drawing.palette, drawing.model
    never: Entry = ((hatch_brush(palette, drawing.ratio),), _("not written"))
    idle: Entry = ((as_color(palette.idle),), _("not yet written"))
    multiple_writers: Entry = ((as_color(palette.multiple_writers),), _("multiple writes"))
    if drawing.data_by is DataColor.TIMES:
        faults = ((never, model.some_never), (multiple_writers, model.some_multiple_writers))
        shown = [entry for entry, there in faults if there]
        return [((as_color(palette.once),), _("written once")), *shown]
    entries: list[Entry] = []
    if drawing.data_by is DataColor.OWNER:
        entries.append((tuple(map(as_color, palette.cycle[:4])), _("color of the block")))
    if not drawing.faults:
        entries.append(idle)
    if drawing.faults and model.some_never:
        entries.append(never)
    if drawing.faults and model.some_multiple_writers:
        entries.append(multiple_writers)
    return entries


def _paint_when(
    painter: QPainter, drawing: Drawing, at: QPointF, width: float, *, low: bool
) -> None:
    roomy = width >= drawing.appearance.scaled(170)
    if not roomy and not low:
        above = drawing.model.product is not None
        _paint_when_upright(painter, drawing, at, width, above=above)
        return
    box = QRectF(at.x(), at.y() - 6, min(130.0, width * (0.55 if roomy else 1.0)), BAR_HEIGHT)
    ends = ("0", duration(drawing.model.duration_s))
    color_bar(painter, drawing.appearance, drawing.palette, box, ends)
    if not roomy:
        return
    beside = QPointF(box.right() + SPACE, box.center().y())
    text(painter, drawing.appearance, beside, _("write time"))
    below = QPointF(box.right() + SPACE, box.bottom() + 8)
    for fills, words in data_entries(drawing)[:1]:
        swatch(painter, drawing.appearance, below, words, *fills)


def _paint_when_upright(
    painter: QPainter, drawing: Drawing, at: QPointF, width: float, *, above: bool
) -> None:
    """The color bar with its name above or below, and below what is idle."""
    line = drawing.appearance.scaled(16)
    y = at.y() - line if above else at.y() + BAR_HEIGHT + 2 + line
    text(painter, drawing.appearance, QPointF(at.x(), y), _("write time"))
    box = QRectF(at.x(), at.y() - 6, min(130.0, width), BAR_HEIGHT)
    ends = ("0", duration(drawing.model.duration_s))
    color_bar(painter, drawing.appearance, drawing.palette, box, ends)
    for fills, words in data_entries(drawing)[:1]:
        below = QPointF(at.x(), box.bottom() + 8 + line if above else y + line)
        swatch(painter, drawing.appearance, below, words, *fills)


def progress_words(drawing: Drawing) -> str:
    """How much of the data is written at the play head."""
    model = drawing.model
    if model.phase is Phase.PLANNED:
        return _("Press F5 to run")
    if model.coverage is None:
        return _("not observed")
    if drawing.faults:
        if model.coverage.uncovered:
            return _("{n} not written").format(n=count(model.coverage.uncovered))
        if model.coverage.multi_writer:
            return _("{n} written multiple times").format(n=count(model.coverage.multi_writer))
        return _("all written once") if model.coverage.writes.max() <= 1 else _("all written")
    share = model.share_written(drawing.time_s)
    return _("{share} written").format(share=percent(int(share * 100) / 100, 2))


def paint_data_caption(painter: QPainter, drawing: Drawing, pane: DataPane) -> None:
    """Progress at the left below the data, elements per pixel at the right."""
    if pane.operands is not None:
        return
    y = pane.end + 12
    left = QPointF(pane.area.left(), y)
    tone = "error" if _is_faulty(drawing) else "text-2"
    end = text(painter, drawing.appearance, left, progress_words(drawing), tone)
    words = pane.caption()
    width = text_width(drawing.appearance, words)
    x = pane.cells.right() - width
    if words and x > end + 8:
        text(painter, drawing.appearance, QPointF(x, y), words)


def _is_faulty(drawing: Drawing) -> bool:
    coverage = drawing.model.coverage
    uncovered = coverage is not None and coverage.uncovered > 0
    return drawing.faults and uncovered and drawing.model.matches is not True


def paint_legend_column(painter: QPainter, drawing: Drawing, column: QRect) -> None:
    """All captions and legends in one column, for a short canvas."""
    model, appearance = drawing.model, drawing.appearance
    x, y = float(column.left()), column.top() + 6.0
    text(painter, appearance, QPointF(x, y), progress_words(drawing), "text", Role.BODY, bold=True)
    if model.timeline is not None and model.phase is Phase.RAN:
        words = _("{done} of {n} blocks done").format(
            done=count(model.blocks_done(drawing.time_s)), n=count(model.launch.blocks)
        )
        text(painter, appearance, QPointF(x, y + 18), words)
    paint_data_legend(painter, drawing, QPointF(x, y + 44), column.width(), low=True)
    if column.height() > 100:
        paint_block_legend(painter, drawing, QPointF(x, y + 80), column.width())
