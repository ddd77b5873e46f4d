# SPDX-License-Identifier: MIT
"""The figure of one warp's access: lanes above, the memory that they touch below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from threadloom.model.launch import WARP_SIZE
from threadloom.model.trace import Space
from threadloom.presentation.access.warp_access import BANKS, LINE, SECTOR, WORD, WarpAccess
from threadloom.presentation.figures.key_figure import KeyFigure
from threadloom.presentation.tone import Tone
from threadloom.text import _, count, ngettext, percent
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.key_figure import draw_key_figure, figure_width
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter, text_width
from threadloom.ui.theme.theme import Role, Theme

_TONES = ("s-total", "s-kernel", "s-c", "s-numpy")
_CELL = 18.0
_WORDS = LINE // WORD
_PER_SECTOR = SECTOR // WORD
_SMALL_LINE = 96.0
"""Width of a line below which single words cannot be seen, so that whole sectors are tinted."""
_FIGURES = 48.0
"""Height of the row of key figures."""


@dataclass(frozen=True)
class MemoryFigure:
    """One access of one warp."""

    access: WarpAccess
    heading: str
    """Such as ``Warp 1 of block (12, 5), line 22``."""
    code: str
    """The line of code."""
    lane: int | None = None
    """Lane that is selected."""
    clear_right: float = 0.0
    """Width at the right of the heading that stays free."""

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return "memory"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("Memory access of a warp")

    @property
    def values(self) -> Values:
        """Addresses by lane, and what was moved for them."""
        access = self.access
        return {
            "heading": self.heading,
            "array": access.site.array,
            "line": access.site.line,
            "space": str(access.site.space),
            "lanes": [int(lane) for lane in access.lane],
            "offsets": [int(a) - access.base for a in access.address],
            "sectors": int(access.sectors.size),
            "lines": int(access.lines.size),
            "bytes_used": access.bytes_used,
            "bytes_moved": access.bytes_moved,
            "cycles": access.cycles,
        }

    @property
    def shared(self) -> bool:
        """Whether the access is one of shared memory, with banks instead of sectors."""
        return self.access.site.space is Space.SHARED

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw lanes, links, memory and key figures; what has no room is left out."""
        painter.save()
        themed = ThemedPainter(painter, theme)
        top = self._paint_heading(themed, rect)
        figures = rect.height() > 190
        bottom = rect.bottom() - (_FIGURES if figures else 0)
        lanes = self.lane_rects(rect)
        self._paint_lanes(themed, lanes, top)
        reach = max(110.0, 0.55 * (bottom - lanes[0].bottom()))
        low = min(bottom - (_CELL + 20 if not self.shared else 4), lanes[0].bottom() + reach)
        if self.shared:
            self._paint_banks(themed, rect, lanes, bottom - (8 if figures else 0))
        else:
            self._paint_lines(themed, rect, lanes, low)
        if figures:
            self._paint_figures(themed, rect, bottom)
        painter.restore()

    def lane_rects(self, rect: QRectF) -> list[QRectF]:
        """Where the lanes stand."""
        top = rect.top() + (62 if rect.height() > 190 else 40)
        width = rect.width() / WARP_SIZE
        return [
            QRectF(rect.left() + lane * width, top, width - 1, _CELL) for lane in range(WARP_SIZE)
        ]

    # Parts --------------------------------------------------------------------------------------

    def _paint_heading(self, painter: ThemedPainter, rect: QRectF) -> float:
        x, y = rect.left(), rect.top() + 9
        width = painter.text(x, y, self.heading, Role.TITLE, "text")
        if rect.height() > 190:
            painter.elided(x, y + 20, self.code, rect.width(), Role.CODE, "text-2")
            return y + 40
        if rect.width() - width - self.clear_right > 60:
            room = rect.width() - width - 16 - self.clear_right
            painter.elided(x + width + 16, y, self.code, room, Role.CODE, "text-2")
        return y + 20

    def _paint_lanes(self, painter: ThemedPainter, lanes: list[QRectF], y: float) -> None:
        painter.text(lanes[0].left(), lanes[0].top() - 9, _("{n} lanes").format(n=WARP_SIZE))
        active = self._place_of_lane
        for lane, cell in enumerate(lanes):
            tone = self._lane_tone(lane)
            if lane in active:
                painter.fill(cell, tone)
            else:
                painter.box(cell, None, "border-control")
            ink = "bg-canvas" if lane in active else "text-3"
            if cell.width() > 13:
                middle = cell.center()
                painter.text(middle.x(), middle.y(), str(lane), Role.LANE, ink, Side.CENTER)
        if self.lane is not None:
            painter.box(lanes[self.lane].adjusted(-3, -3, 3, 3), None, "focus", 2, 2)

    @cached_property
    def _place_of_lane(self) -> dict[int, int]:
        return {int(lane): place for place, lane in enumerate(self.access.lane)}

    def _lane_tone(self, lane: int) -> str:
        place = self._place_of_lane.get(lane)
        if place is None:
            return "cell-idle"
        if self.shared:
            return _TONES[0]
        line = int(self.access.address[place]) // LINE
        return _TONES[int(np.searchsorted(self.access.lines, line)) % len(_TONES)]

    # Global memory ------------------------------------------------------------------------------

    def _paint_lines(
        self, painter: ThemedPainter, rect: QRectF, lanes: list[QRectF], top: float
    ) -> None:
        lines = [int(line) for line in self.access.lines]
        boxes = self._line_boxes(rect, len(lines), top)
        self._paint_links(painter, lanes, lines, boxes)
        accessed = {int(word) for word in self.access.words}
        sectors = {int(sector) for sector in self.access.sectors}
        for number, (line, box) in enumerate(zip(lines, boxes, strict=True)):
            tone = _TONES[number % len(_TONES)]
            if box.width() < _SMALL_LINE:
                _paint_read_sectors(painter, box, line, tone, sectors)
            self._paint_words(painter, box, line, tone, accessed)
            self._paint_sectors(painter, box, line, sectors)
            self._paint_place(painter, box, line, number)

    def _line_boxes(self, rect: QRectF, count: int, top: float) -> list[QRectF]:
        gap = 18.0 if count <= 4 else 4.0 if count <= 16 else 2.0
        width = (rect.width() - gap * (count - 1)) / max(count, 1)
        width = min(width, rect.width() * 0.48)
        return [
            QRectF(rect.left() + number * (width + gap), top, width, _CELL)
            for number in range(count)
        ]

    def _paint_words(
        self, painter: ThemedPainter, box: QRectF, line: int, tone: str, accessed: set[int]
    ) -> None:
        width = box.width() / _WORDS
        gap = 1.0 if width > 3 else 0.0
        for word in range(_WORDS):
            cell = QRectF(box.left() + word * width, box.top(), width - gap, box.height())
            if line * _WORDS + word in accessed:
                painter.fill(cell, tone)
            elif width > 3:
                painter.fill(cell, "cell-idle")

    def _paint_sectors(
        self, painter: ThemedPainter, box: QRectF, line: int, sectors: set[int]
    ) -> None:
        width = box.width() / 4
        for number in range(4):
            read = line * 4 + number in sectors
            frame = QRectF(box.left() + number * width, box.top() - 1, width, box.height() + 2)
            painter.box(frame, None, "text" if read else "border-strong")
            verb = _("sector {n}") if read else self._not_words()
            text = verb.format(n=number)
            if text_width(text) < width - 4:
                middle = frame.center().x()
                tone = "text" if read else "text-3"
                painter.text(middle, frame.bottom() + 10, text, tone=tone, side=Side.CENTER)

    def _not_words(self) -> str:
        writes = self.access.site.kind != "read"
        return _("not written") if writes else _("not read")

    def _paint_place(self, painter: ThemedPainter, box: QRectF, line: int, number: int) -> None:
        offset = line * LINE - self.access.base
        sign = "+" if offset >= 0 else "−"
        text = f"{self.access.site.array} {sign} 0x{abs(offset):X}"
        width = text_width(text, Role.CODE)
        if number == 0 and width >= box.width():
            painter.text(box.left(), box.bottom() + 11, text, Role.CODE, "text-3")
        elif width < box.width():
            ground = QColor(painter.color("bg-canvas"))
            ground.setAlphaF(0.75)
            painter.fill(QRectF(box.right() - width - 2, box.top() - 17, width + 4, 14), ground)
            painter.text(box.right(), box.top() - 10, text, Role.CODE, "text-3", Side.RIGHT)

    def _paint_links(
        self, painter: ThemedPainter, lanes: list[QRectF], lines: list[int], boxes: list[QRectF]
    ) -> None:
        order = sorted(self._place_of_lane.items(), key=lambda item: item[0] == self.lane)
        for lane, place in order:
            address = int(self.access.address[place])
            box = boxes[lines.index(address // LINE)]
            inside = address % LINE + min(int(self.access.size[place]), WORD) / 2
            end = QPointF(box.left() + box.width() * inside / LINE, box.top() - 1)
            selected = lane == self.lane
            _link(painter, lanes[lane], end, self._lane_tone(lane), selected=selected)

    # Shared memory ------------------------------------------------------------------------------

    def _paint_banks(
        self, painter: ThemedPainter, rect: QRectF, lanes: list[QRectF], bottom: float
    ) -> None:
        """Below each other: 32 banks; words of one bank stand in a column, a pass for each."""
        columns = self._words_by_bank()
        cycles = max(self.access.cycles, 1)
        room = bottom - lanes[0].bottom() - 62
        height = max(3.0, min(_CELL, room / cycles - 1))
        top = max(bottom - 26 - cycles * (height + 1), lanes[0].bottom() + 34)
        ends: dict[int, QPointF] = {}
        for bank, words in columns.items():
            x, width = lanes[bank].left(), lanes[bank].width()
            for row, word in enumerate(words):
                cell = QRectF(x, top + row * (height + 1), width, height)
                ends[word] = QPointF(cell.center().x(), cell.top())
                painter.fill(cell, "warn" if len(words) > 1 else _TONES[0])
            if not words:
                painter.fill(QRectF(x, top, width, height), "cell-idle")
        self._paint_bank_links(painter, lanes, ends)
        below = top + cycles * (height + 1) + 9
        for bank in range(BANKS):
            if bank % 8 == 0 or bank == BANKS - 1:
                middle = lanes[bank].center().x()
                painter.text(middle, below, str(bank), side=Side.CENTER)
        painter.text(rect.left(), below + 12, _("banks of shared memory, 4 bytes wide"))

    def _words_by_bank(self) -> dict[int, list[int]]:
        columns: dict[int, list[int]] = {bank: [] for bank in range(BANKS)}
        for word in self.access.words:
            columns[int(word) % BANKS].append(int(word))
        return columns

    def _paint_bank_links(
        self, painter: ThemedPainter, lanes: list[QRectF], ends: dict[int, QPointF]
    ) -> None:
        order = sorted(self._place_of_lane.items(), key=lambda item: item[0] == self.lane)
        for lane, place in order:
            end = ends[int(self.access.address[place]) // WORD]
            _link(painter, lanes[lane], end, _TONES[0], selected=lane == self.lane)

    # Key figures --------------------------------------------------------------------------------

    def key_figures(self) -> list[KeyFigure]:
        """What the access comes to."""
        return self._shared_figures() if self.shared else self._global_figures()

    def _global_figures(self) -> list[KeyFigure]:
        access = self.access
        sectors, ideal = int(access.sectors.size), access.ideal_sectors
        share = access.bytes_used / access.bytes_moved if access.bytes_moved else 0.0
        good = sectors <= ideal
        return [
            KeyFigure(
                _("Sectors per request"),
                str(sectors),
                _("ideal {n}").format(n=ideal),
                Tone.OK if good else Tone.WARNING,
            ),
            KeyFigure(
                _("Bytes moved"),
                _bytes(access.bytes_moved),
                _("required {size}").format(size=_bytes(access.bytes_used)),
            ),
            KeyFigure(_("Bytes used"), percent(share)),
            KeyFigure(
                _("128-byte lines"),
                str(access.lines.size),
                _("{n} of {all} sectors").format(n=sectors, all=4 * access.lines.size),
            ),
        ]

    def _shared_figures(self) -> list[KeyFigure]:
        access = self.access
        cycles = access.cycles
        busiest = max((len(words) for words in self._words_by_bank().values()), default=0)
        banks = sum(bool(words) for words in self._words_by_bank().values())
        return [
            KeyFigure(
                _("Wavefronts per request"),
                str(cycles),
                _("ideal 1"),
                Tone.OK if cycles < 2 else Tone.WARNING,
            ),
            KeyFigure(
                _("Most accessed bank"), str(busiest), ngettext("word", "distinct words", busiest)
            ),
            KeyFigure(_("Banks in use"), str(banks), _("of {n}").format(n=BANKS)),
            KeyFigure(_("Distinct words"), str(access.words.size)),
        ]

    def _paint_figures(self, painter: ThemedPainter, rect: QRectF, top: float) -> None:
        figures = self.key_figures()
        pitch = rect.width() / len(figures)
        for number, figure in enumerate(figures):
            x = rect.left() + number * pitch
            if figure_width(figure) > pitch - 12:
                figure = KeyFigure(figure.title, figure.value, "", figure.tone)
            if number:
                painter.upright(x - 8, top + 6, top + 44, "border-strong")
            draw_key_figure(painter, x, top + 4, figure, pitch - 14)


def _bytes(number: int) -> str:
    """Exact, because it is small."""
    return _("{n} B").format(n=count(number))


def _paint_read_sectors(
    painter: ThemedPainter, box: QRectF, line: int, tone: str, sectors: set[int]
) -> None:
    width = box.width() / 4
    for number in range(4):
        place = QRectF(box.left() + number * width, box.top(), width, box.height())
        read = line * 4 + number in sectors
        painter.fill(place, painter.theme.mix("bg-canvas", tone, 0.4) if read else "cell-idle")


def _link(painter: ThemedPainter, lane: QRectF, end: QPointF, tone: str, *, selected: bool) -> None:
    """A curve from a lane down to what it touches."""
    start = QPointF(lane.center().x(), lane.bottom() + (3 if selected else 1))
    reach = (end.y() - start.y()) / 2
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(0, reach), end - QPointF(0, reach), end)
    color = QColor(painter.color("focus" if selected else tone))
    if not selected:
        color.setAlphaF(0.55)
    painter.painter.setPen(QPen(color, 2.0 if selected else 1.0))
    painter.painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.painter.drawPath(path)
