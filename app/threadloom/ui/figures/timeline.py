# SPDX-License-Identifier: MIT
"""The figure of a launch over time: SMs below each other, a bar for each block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from threadloom.presentation.figures.timeline_rows import TimelineRows
from threadloom.text import _, count, duration, ngettext, significant
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter, text_width
from threadloom.ui.figures.timeline_layout import TimelineLayout, time_ticks
from threadloom.ui.figures.wave_colors import WAVES, wave_image, wave_token
from threadloom.ui.theme.theme import Role, Theme


@dataclass(frozen=True)
class TimelineFigure:
    """One launch's blocks; a window of its SMs in full, and all of them small beside it."""

    rows: TimelineRows
    first_sm: int = 0
    playhead_s: float | None = None
    selected: int | None = None
    """Place of the selected block in the timeline's arrays."""
    selected_name: str = ""
    """Such as ``block (13, 22)``."""

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return "timeline"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("SM timeline")

    @property
    def values(self) -> Values:
        """Waves, slots and times."""
        line = self.rows.timeline
        return {
            "source": str(line.provenance),
            "blocks": line.blocks,
            "slots": line.slots,
            "duration_s": line.duration_s,
            "waves": [{"start_s": start, "blocks": n} for start, n in self.rows.waves],
            "tail_s": None if self.rows.tail is None else line.duration_s - self.rows.tail,
        }

    def layout(self, rect: QRectF) -> TimelineLayout:
        """Where the parts stand in a rectangle."""
        return TimelineLayout.fit(rect, self.rows, self.first_sm)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw curve, waves, rows, time axis, tail, play head and overview."""
        self.paint_ground(painter, rect, theme)
        self.paint_marks(painter, rect, theme)

    def paint_ground(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw what stays while the animation plays."""
        painter.save()
        themed = ThemedPainter(painter, theme)
        at = self.layout(rect)
        self._paint_curve(themed, at)
        self._paint_waves(themed, at)
        self._paint_axis(themed, at)
        self._paint_rows(themed, at)
        self._paint_tail(themed, at)
        self._paint_note(themed, at)
        if at.overview is not None:
            self._paint_overview(themed, at, at.overview)
        painter.restore()

    def paint_marks(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw play head and selected block over the ground."""
        painter.save()
        themed = ThemedPainter(painter, theme)
        at = self.layout(rect)
        self._paint_playhead(themed, at)
        self._paint_selected(themed, at)
        painter.restore()

    def _paint_note(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        """Say what a row is and what is out of view."""
        y = at.body.bottom() + 28
        if y > at.rect.bottom():
            return
        slots = self.rows.slots_per_sm
        text = ngettext("Each SM has {n} slot.", "Each SM has {n} slots.", slots).format(n=slots)
        if not self.rows.bars:
            text = _("Lighter color: fewer of the SM’s {n} slots in use.").format(n=slots)
        if at.last - at.first < self.rows.sms:
            seen = _("Showing SM {first} to {last} of {n}.")
            seen = seen.format(first=at.first, last=at.last - 1, n=self.rows.sms)
            text = _("{first} {second}").format(first=text, second=seen)
        painter.elided(at.body.left(), y, text, at.body.width())

    # Above the rows -----------------------------------------------------------------------------

    def _paint_curve(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        box, slots = at.curve, self.rows.timeline.slots
        y = box.top() - 11
        width = painter.text(at.rect.left(), y, _("Slots in use"), Role.TITLE, "text")
        x = at.rect.left() + width + 8
        painter.text(x, y, _("of {n}").format(n=count(slots)), Role.BODY, "text-3")
        columns = max(2, int(box.width()))
        times = np.linspace(0, self.rows.timeline.duration_s, columns)
        shares = np.clip(self.rows.in_use(times) / max(slots, 1), 0, 1)
        xs = at.x(times)
        line = [
            QPointF(float(x), box.bottom() - float(share) * box.height())
            for x, share in zip(xs, shares, strict=True)
        ]
        ends = [QPointF(line[-1].x(), box.bottom()), QPointF(line[0].x(), box.bottom())]
        ground = QColor(painter.color("text-2"))
        ground.setAlphaF(0.25)
        painter.polygon([*line, *ends], ground)
        painter.line(line, "text-2", 1.2)
        painter.across(box.left(), box.right(), box.bottom(), "border-strong")
        painter.text(box.left() - 6, box.top() + 3, count(slots), side=Side.RIGHT)
        painter.text(box.left() - 6, box.bottom() - 3, "0", side=Side.RIGHT)

    def _paint_waves(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        """Name each wave at its start where there is room up to the next name."""
        y = at.body.top() - 9
        painter.text(at.body.left() - 6, y, _("SM"), side=Side.RIGHT)
        free = at.body.left()
        for number, (start, blocks) in enumerate(self.rows.waves):
            x = float(at.x(start)) + 4
            text = ngettext("wave {n}, {blocks} block", "wave {n}, {blocks} blocks", blocks)
            full = text.format(n=number + 1, blocks=count(blocks))
            following = self.rows.waves[number + 1 :]
            end = float(at.x(following[0][0])) if following else at.body.right()
            for shown in (full, _("wave {n}").format(n=number + 1)):
                width = text_width(shown, bold=True)
                if x >= free and x + width < end:
                    tone = wave_token(number)
                    painter.text(x, y, shown, tone=tone, bold=True)
                    free = x + width + 6
                    break

    def _paint_axis(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        bottom = at.body.bottom()
        painter.across(at.body.left(), at.body.right(), bottom, "border-strong")
        ticks, unit, scale = time_ticks(self.rows.timeline.duration_s, int(at.body.width() // 70))
        for number, tick in enumerate(ticks):
            x = float(at.x(tick))
            painter.upright(x, bottom, bottom + 4, "border-strong")
            text = significant(tick / scale, 4)
            shown = f"{text} {unit}" if number == 0 else text
            painter.text(x, bottom + 12, shown, side=Side.CENTER)

    # Rows ---------------------------------------------------------------------------------------

    def _paint_rows(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        painter.fill(at.body, "bg-canvas")
        for sm in range(at.first, at.last):
            row = at.row(sm)
            painter.fill(row.adjusted(0, 0, 0, -1), painter.theme.mix("bg-canvas", "text", 0.03))
            if at.sm_height >= 11 or sm % at.label_step == 0:
                selected = self.selected_sm == sm
                tone = "focus" if selected else "text-3"
                y = row.center().y()
                painter.text(
                    at.body.left() - 6, y, str(sm), tone=tone, side=Side.RIGHT, bold=selected
                )
        if self.rows.bars:
            self._paint_bars(painter, at)
        else:
            wave, share = self.rows.pixels(at.first, at.last, max(1, int(at.body.width())))
            image = wave_image(wave, share, painter.theme)
            place = QRectF(at.body.left(), at.body.top(), at.body.width(), 0)
            place.setHeight((at.last - at.first) * at.sm_height)
            painter.painter.drawImage(place, image)

    def _paint_bars(self, themed: ThemedPainter, at: TimelineLayout) -> None:
        line, painter = self.rows.timeline, themed.painter
        seen = np.flatnonzero((line.sm >= at.first) & (line.sm < at.last))
        left, right = at.x(line.start_s[seen]), at.x(line.end_s[seen])
        top = at.body.top() + (line.sm[seen] - at.first) * at.sm_height
        top = top + self.rows.slot[seen] * at.bar
        gap = 1.0 if at.bar >= 4 else 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        hints = painter.renderHints()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, at.bar < 2)
        for wave in range(WAVES):
            mine = line.wave[seen] % WAVES == wave
            painter.setBrush(themed.color(wave_token(wave)))
            painter.drawRects(
                [
                    QRectF(x, y, max(0.6, end - x - gap), max(0.6, at.bar - gap))
                    for x, end, y in zip(
                        left[mine].tolist(), right[mine].tolist(), top[mine].tolist(), strict=True
                    )
                ]
            )
        painter.setRenderHints(hints)

    @property
    def selected_sm(self) -> int | None:
        """SM of the selected block."""
        return None if self.selected is None else int(self.rows.timeline.sm[self.selected])

    def bar_rect(self, at: TimelineLayout, block: int) -> QRectF:
        """Where a block's bar stands."""
        line = self.rows.timeline
        x, end = float(at.x(line.start_s[block])), float(at.x(line.end_s[block]))
        slot = int(self.rows.slot[block]) if self.rows.bars else 0
        height = at.bar if self.rows.bars else at.sm_height
        y = at.body.top() + (int(line.sm[block]) - at.first) * at.sm_height + slot * at.bar
        return QRectF(x, y, max(1.0, end - x), height)

    # Marks --------------------------------------------------------------------------------------

    def _paint_tail(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        if self.rows.tail is None:
            return
        x, end = float(at.x(self.rows.tail)), float(at.x(self.rows.timeline.duration_s))
        ground = QColor(painter.color("warn"))
        ground.setAlphaF(0.07)
        top = at.curve.top()
        painter.fill(QRectF(x, top, end - x, at.body.bottom() - top), ground)
        for edge in (x, end):
            line = [QPointF(edge, top), QPointF(edge, at.body.bottom())]
            painter.line(line, "warn", 1, Qt.PenStyle.DashLine)
        taken = duration(self.rows.timeline.duration_s - self.rows.tail)
        text = _("tail {time}").format(time=taken)
        width = text_width(text, bold=True)
        right = min(max((x + end + width) / 2, x), at.curve.right())
        painter.text(right, top - 11, text, tone="warn", side=Side.RIGHT, bold=True)

    def _paint_playhead(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        if self.playhead_s is None or not 0 <= self.playhead_s <= self.rows.timeline.duration_s:
            return
        x = float(at.x(self.playhead_s))
        painter.fill(
            QRectF(x - 0.75, at.curve.top(), 1.5, at.body.bottom() - at.curve.top()), "accent-text"
        )

    def _paint_selected(self, painter: ThemedPainter, at: TimelineLayout) -> None:
        sm = self.selected_sm
        if sm is None or self.selected is None or not at.first <= sm < at.last:
            return
        bar = self.bar_rect(at, self.selected)
        painter.box(bar.adjusted(-3, -3, 2, 2), None, "bg-canvas", 2, 1)
        painter.box(bar.adjusted(-2, -2, 1, 1), None, "focus", 2, 2)
        line = self.rows.timeline
        taken = duration(float(line.end_s[self.selected] - line.start_s[self.selected]))
        text = _("{block}, {time}").format(block=self.selected_name, time=taken)
        painter.tag(
            self._tag_place(at, bar, text_width(text, bold=True)), text, "focus", "on-focus"
        )

    def _tag_place(self, at: TimelineLayout, bar: QRectF, width: float) -> QPointF:
        """Middle of the tag: left of the bar, else right of it, else below or above it."""
        half, body = width / 2 + 6, at.body
        y = min(max(bar.center().y(), body.top() + 10), body.bottom() - 10)
        for x in (bar.left() - half - 6, bar.right() + half + 6):
            if body.left() < x - half and x + half < body.right():
                return QPointF(x, y)
        below = bar.bottom() + 14
        y = below if below + 9 < body.bottom() else bar.top() - 14
        return QPointF(min(max(bar.center().x(), body.left() + half), body.right() - half), y)

    # Overview -----------------------------------------------------------------------------------

    def _paint_overview(self, painter: ThemedPainter, at: TimelineLayout, box: QRectF) -> None:
        left, top = box.left(), at.curve.top() - 11
        title = _("All {n} SMs").format(n=count(self.rows.sms))
        painter.text(left, top, title, Role.TITLE, "text")
        self._paint_legend(painter, left, top + 20)
        columns = max(2, int(box.width()))
        wave, share = self.rows.pixels(0, self.rows.sms, columns)
        painter.painter.drawImage(box, wave_image(wave, share, painter.theme))
        painter.text(left, box.top() - 8, _("SM 0"))
        last = _("SM {n}").format(n=self.rows.sms - 1)
        painter.text(left, box.bottom() + 9, last)
        pitch = box.height() / max(self.rows.sms, 1)
        shown = QRectF(
            left - 2,
            box.top() + at.first * pitch - 1,
            box.width() + 4,
            max(4.0, (at.last - at.first) * pitch + 2),
        )
        painter.box(shown, None, "text", 1, 1.5)

    def _paint_legend(self, painter: ThemedPainter, x: float, y: float) -> None:
        for number in range(min(len(self.rows.waves), 3)):
            painter.fill(QRectF(x, y - 4, 8, 8), wave_token(number))
            x += 11 + painter.text(x + 11, y, str(number + 1), tone="text-2") + 6
        more = _("wave") if len(self.rows.waves) <= 3 else _("… wave")
        painter.text(x, y, more)
