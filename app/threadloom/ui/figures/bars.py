# SPDX-License-Identifier: MIT
"""The bars of one run: GPU with copies, kernel alone, and what a CPU takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples, SeriesKey, Timing
from threadloom.presentation.bench.speedup_text import Verdict, verdict
from threadloom.presentation.bench.time_text import convergence_words, time_words
from threadloom.presentation.figures.series_style import STYLES
from threadloom.presentation.provenance_text import provenance_words
from threadloom.text import _, count
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter, text_width
from threadloom.ui.theme.theme import Role, Theme
from threadloom.ui.widgets.chip import KINDS

_TALL_ROW = 34.0
_VALUE_ROOM = 68
"""Beside a flat bar: its value, and a mark for a noisy one."""
_LEAST_BAR = 24
_PARTS = (SeriesKey.H2D, SeriesKey.KERNEL, SeriesKey.D2H)
_BARS = (
    SeriesKey.TOTAL,
    SeriesKey.KERNEL,
    SeriesKey.FRAMEWORK,
    SeriesKey.NUMPY,
    SeriesKey.C_LOOP_THREADS,
    SeriesKey.C_LOOP,
)
_NAMED = {SeriesKey.FRAMEWORK, SeriesKey.C_LOOP_THREADS}
"""Bars whose own label says more than their kind."""
_AGAINST = (SeriesKey.NUMPY, SeriesKey.C_LOOP_THREADS, SeriesKey.C_LOOP)
"""What the kernel is held against: the first of these that was timed."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; a stacked one has several parts."""

    title: str
    samples: Samples
    provenance: Provenance
    parts: tuple[tuple[str, float], ...]
    """Token and seconds of each part."""
    short: str = ""
    """Title for where there is little room."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One sentence below the bars."""

    subject: str
    verdict: Verdict
    modeled: bool

    short_subject: str = ""
    """Subject that names NumPy, for where the sentence has no room to."""
    shortest_subject: str = ""
    """For where there is even less."""
    other: str = ""
    """What it is held against."""

    def text(self) -> str:
        """What is said of the subject."""
        return self._marked(self.verdict.sentence(self.other))

    def short(self) -> str:
        """The same of the subject that names NumPy."""
        return self._marked(self.verdict.short())

    def _marked(self, sentence: str) -> str:
        return _("{sentence}, modeled").format(sentence=sentence) if self.modeled else sentence


@dataclass(frozen=True, slots=True)
class BarsFigure:
    """Times of one run as bars over a common scale that starts at 0."""

    timings: tuple[Timing, ...]
    heading: str
    """Such as ``Last run, n = 1,000,000``."""
    faded: bool = False
    """Whether the run is older than what is chosen."""

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return "timings"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("Timings of one run")

    @property
    def values(self) -> Values:
        """Seconds by bar."""
        return {
            "heading": self.heading,
            "timings": [
                {
                    "key": str(timing.key),
                    "label": timing.label.english(),
                    "source": str(timing.provenance),
                    "samples_s": list(timing.samples.seconds),
                    "median_s": timing.samples.median_s,
                }
                for timing in self.timings
            ],
        }

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw heading, bars, legend and sentences."""
        painter.save()
        themed = ThemedPainter(painter, theme)
        if self.heading:
            room = rect.width()
            themed.elided(rect.left(), rect.top() + 9, self.heading, room, Role.TITLE, "text")
        else:
            rect = rect.adjusted(0, -20, 0, 0)
        if self.faded:
            painter.setOpacity(0.38)
        below = self._paint_sentences(themed, rect)
        self._paint_bars(themed, QRectF(rect.left(), rect.top() + 24, rect.width(), below))
        painter.restore()

    def _paint_bars(self, painter: ThemedPainter, rect: QRectF) -> None:
        shown = bars(self.timings)
        if not shown:
            return
        pitch = min(44.0, rect.height() / len(shown))
        longest = max(bar.samples.median_s for bar in shown) or 1.0
        if pitch < _TALL_ROW:
            shown = _with_room(shown, rect.width())
        title_room = _title_room(shown)
        for number, bar in enumerate(shown):
            row = QRectF(rect.left(), rect.top() + number * pitch, rect.width(), pitch)
            if pitch >= _TALL_ROW:
                self._tall_row(painter, row, bar, longest)
            else:
                self._flat_row(painter, row, bar, longest, title_room)

    def _tall_row(self, painter: ThemedPainter, row: QRectF, bar: Bar, longest: float) -> None:
        y = row.top() + 8
        end = row.left() + painter.text(row.left(), y, bar.title, Role.BODY, "text-2")
        _provenance_mark(painter, end + 8, y, bar.provenance)
        _value(painter, row.right(), y, bar)
        height = min(14.0, row.height() - 22)
        _stack(painter, QRectF(row.left(), row.top() + 18, row.width(), height), bar, longest)

    def _flat_row(
        self, painter: ThemedPainter, row: QRectF, bar: Bar, longest: float, title_room: float
    ) -> None:
        y = row.center().y()
        painter.text(row.left(), y, bar.title, Role.BODY, "text-2")
        _value(painter, row.right(), y, bar)
        left, right = row.left() + title_room, row.right() - _VALUE_ROOM
        if right - left >= _LEAST_BAR:
            height = min(12.0, row.height() - 6)
            _stack(painter, QRectF(left, y - height / 2, right - left, height), bar, longest)

    def _paint_sentences(self, painter: ThemedPainter, rect: QRectF) -> float:
        """Draw what stands below the bars and return the height that is left for these."""
        told = conclusions(self.timings)
        pitch = 20.0 if rect.height() > 230 else 16.0
        y = rect.bottom() - pitch * len(told) + pitch / 2
        for said in told:
            tone = said.verdict.outcome.tone
            subject, text = fitting(said, rect.width())
            painter.text(rect.left(), y, subject, Role.BODY, "text-2")
            painter.text(rect.right(), y, text, Role.BODY, tone, Side.RIGHT, bold=True)
            y += pitch
        top = rect.bottom() - pitch * len(told)
        if told and rect.height() > 230:
            painter.across(rect.left(), rect.right(), top - 7)
            top -= 14
        return self._paint_legend(painter, rect, top) - rect.top() - 24

    def _paint_legend(self, painter: ThemedPainter, rect: QRectF, bottom: float) -> float:
        shown = bars(self.timings)
        if shown and (bottom - rect.top() - 44) / len(shown) < _TALL_ROW:
            _pattern_legend(painter, rect.left(), bottom - 9, shown)
            return bottom - 20
        if not any(len(bar.parts) > 1 for bar in bars(self.timings)):
            return bottom - 4
        x, y = rect.left(), bottom - 9
        for key in _PARTS:
            style = STYLES[key]
            title = _("kernel") if key is SeriesKey.KERNEL else _(style.title)
            painter.fill(QRectF(x, y - 4, 9, 9), style.tone)
            x += 13 + painter.text(x + 13, y, title, Role.CAPTION, "text-2") + 10
        return bottom - 20


def fitting(said: Conclusion, room: float) -> tuple[str, str]:
    """Subject and sentence, shorter ones where there is little room."""
    named = ((said.subject, said.text()), (said.short_subject, said.short()))
    both = (*named, (said.shortest_subject, said.short()))
    for subject, text in both:
        needed = text_width(subject, Role.BODY) + text_width(text, Role.BODY, bold=True)
        if needed + 10 <= room:
            return subject, text
    return both[-1]


def _with_room(shown: list[Bar], width: float) -> list[Bar]:
    """Bars whose titles leave room for the bars themselves, short ones if need be."""
    if width - _title_room(shown) - _VALUE_ROOM >= _LEAST_BAR:
        return shown
    return [replace(bar, title=bar.short) for bar in shown]


def _title_room(shown: Sequence[Bar]) -> float:
    return max(text_width(bar.title, Role.BODY) for bar in shown) + 12


def bars(timings: Sequence[Timing]) -> list[Bar]:
    """The bars of a run in the order in which they are shown; of cold and warm the latter."""
    by_key = {timing.key: timing for timing in timings}
    found: list[Bar] = []
    for key in _BARS:
        if key is SeriesKey.FRAMEWORK:
            found += [_bar(timing, by_key) for timing in timings if timing.key is key]
        elif key in by_key:
            found.append(_bar(by_key[key], by_key))
    return found


def _bar(timing: Timing, by_key: dict[SeriesKey, Timing]) -> Bar:
    parts: tuple[tuple[str, float], ...] = ((STYLES[timing.key].tone, timing.samples.median_s),)
    if timing.key is SeriesKey.TOTAL and all(key in by_key for key in _PARTS):
        parts = tuple((STYLES[key].tone, by_key[key].samples.median_s) for key in _PARTS)
    emulated = timing.provenance is Provenance.EMULATED
    gpu = timing.key in {SeriesKey.TOTAL, SeriesKey.KERNEL}
    own = timing.key in _NAMED or (emulated and gpu)
    title = timing.label if own else _(STYLES[timing.key].title)
    return Bar(
        str(title), timing.samples, timing.provenance, parts, _plain_name(timing, str(title))
    )


def conclusions(timings: Sequence[Timing]) -> list[Conclusion]:
    """How the kernel alone, and with copies, stands to a baseline on the CPU; and to frameworks."""
    by_key = {timing.key: timing for timing in timings}
    host = next((by_key[key] for key in _AGAINST if key in by_key), None)
    kernel, total = by_key.get(SeriesKey.KERNEL), by_key.get(SeriesKey.TOTAL)
    found = []
    if host is not None and kernel is not None:
        found.append(_kernel_conclusion(kernel, host))
    if host is not None and total is not None:
        found.append(_total_conclusion(total, host))
    if kernel is not None:
        frameworks = [timing for timing in timings if timing.key is SeriesKey.FRAMEWORK]
        found += [_kernel_conclusion(kernel, timing) for timing in frameworks]
    return [said for said in found if said is not None]


def _kernel_conclusion(mine: Timing, other: Timing) -> Conclusion | None:
    text, name = _("Kernel to {other}"), _short_name(other)
    short = text.format(other=_plain_name(other, name))
    framework = other.key is SeriesKey.FRAMEWORK
    shortest = text.format(other=name.split(" ")[0]) if framework else _("Kernel")
    return _conclusion(mine, other, _("Kernel only"), short, shortest)


def _total_conclusion(mine: Timing, other: Timing) -> Conclusion | None:
    short = _("Total to {other}").format(other=_short_name(other))
    return _conclusion(mine, other, _("With transfers"), short, _("Total"))


def _conclusion(
    mine: Timing, other: Timing, subject: str, short: str, shortest: str
) -> Conclusion | None:
    """None for emulated times, which say nothing of a GPU."""
    if mine.provenance is Provenance.EMULATED:
        return None
    return Conclusion(
        subject,
        verdict(mine.samples, other.samples),
        mine.provenance is Provenance.MODELED,
        short,
        shortest,
        _short_name(other),
    )


def _short_name(timing: Timing) -> str:
    named = timing.key in _NAMED
    return str(timing.label if named else _(STYLES[timing.key].title))


def _plain_name(timing: Timing, name: str) -> str:
    """A framework without the library that it calls, which the details tell."""
    return name.split(",")[0] if timing.key is SeriesKey.FRAMEWORK else name


def noise_words(samples: Samples) -> str:
    """Why a value carries a warning mark; empty if it carries none."""
    if samples.converged or len(samples.seconds) < 2:
        return ""
    text = _("{n} samples, {reached}")
    return text.format(n=count(len(samples.seconds)), reached=convergence_words(samples))


def _value(painter: ThemedPainter, right: float, y: float, bar: Bar) -> None:
    text = time_words(bar.samples)
    painter.text(right, y, text, Role.VALUE, "text", Side.RIGHT, bold=True)
    if noise_words(bar.samples):
        x = right - text_width(text, Role.VALUE, bold=True) - 12
        _warning_mark(painter, x, y)


def _warning_mark(painter: ThemedPainter, x: float, y: float) -> None:
    """A small triangle: the times differ by more than the rule allows."""
    corners = [QPointF(x, y - 4.5), QPointF(x + 5, y + 4), QPointF(x - 5, y + 4)]
    painter.line([*corners, corners[0]], "warn", 1.3)
    painter.upright(x - 0.5, y - 1.5, y + 1.5, "warn")


def _provenance_mark(painter: ThemedPainter, x: float, y: float, provenance: Provenance) -> None:
    """A small chip that says where the figure comes from."""
    fill, ink = KINDS["info" if provenance is Provenance.MODELED else "neutral"]
    text = provenance_words(provenance)
    width = text_width(text) + 12
    painter.box(QRectF(x, y - 7, width, 14), fill, None, 7)
    painter.text(x + width / 2, y, text, Role.CAPTION, ink, Side.CENTER)


def _stack(painter: ThemedPainter, rect: QRectF, bar: Bar, longest: float) -> None:
    """Draw the track and the parts; each part is 1 px at least, so that none vanishes."""
    painter.fill(rect, "cell-idle")
    whole = sum(seconds for _token, seconds in bar.parts)
    share = bar.samples.median_s / longest
    x = rect.left()
    for token, seconds in bar.parts:
        width = max(1.0, rect.width() * share * (seconds / whole if whole else 0.0))
        width = min(width, rect.right() - x)
        part = QRectF(x, rect.top(), width, rect.height())
        painter.patterned(part, token, bar.provenance)
        x += width
        if width > 4 and token != bar.parts[-1][0]:
            painter.upright(x - 1, rect.top(), rect.bottom(), "bg-canvas")


def _pattern_legend(painter: ThemedPainter, x: float, y: float, shown: Sequence[Bar]) -> None:
    """What solid, hatched and dotted bars mean, where there is no room for chips."""
    for provenance in sorted({bar.provenance for bar in shown}, key=list(Provenance).index):
        painter.patterned(QRectF(x, y - 5, 18, 10), "text-2", provenance)
        x += 23 + painter.text(x + 23, y, provenance_words(provenance), tone="text-2") + 12
