# SPDX-License-Identifier: MIT
"""The bar below the canvas: play, step, speed, time."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.picker_entry import Entry
from threadloom.text import _, count, duration, significant
from threadloom.ui.mapping.controls.playback import Playback, nice_speed
from threadloom.ui.mapping.controls.scrubber import SEGMENTS_AT_MOST, Scrubber
from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.chip import ProvenanceChip
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.picker import Picker

HEIGHT = 46
FACTORS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
"""Speeds that are offered, of the usual one."""


class PlayButton(QToolButton):
    """The button that plays and pauses."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._playing = False
        self.setFixedSize(28, 28)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_playing(False)
        appearance.changed.connect(self.update)

    def show_playing(self, playing: bool) -> None:
        """Offer to pause or to play."""
        self._playing = playing
        self.setAccessibleName(_("Pause") if playing else _("Play"))
        self.setToolTip(_("Pause (Space)") if playing else _("Play (Space)"))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and the icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = "accent-hover" if self.underMouse() else "accent"
        fill, ink = (fill, "on-accent") if self.isEnabled() else ("bg-hover", "text-off")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color(fill))
        box = QRectF(self.rect())
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        name = "pause" if self._playing else "play"
        drawn = pixmap(self._appearance, name, ink, 14, self.devicePixelRatioF())
        painter.drawPixmap(7, 7, drawn)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._appearance.color("accent-text"), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)


class Transport(QWidget):
    """Buttons, speed, scrubber and the time in words."""

    step_asked = Signal(int)
    """One step back (-1) or on (1)."""

    def __init__(
        self, appearance: Appearance, playback: Playback, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._appearance, self._playback = appearance, playback
        self._timeline: BlockTimeline | None = None
        self._wave_ends: np.ndarray[tuple[int], np.dtype[np.float64]] = np.zeros(0)
        self._fit()
        appearance.changed.connect(self._fit)
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.start = IconButton(appearance, "start", _("Go to start (Home)"))
        self.back = IconButton(appearance, "back", _("Step back (Left)"))
        self.play = PlayButton(appearance)
        self.on = IconButton(appearance, "step", _("Step forward (Right)"))
        self.speed = Picker(appearance, _("Speed"), height=26)
        self.scrubber = Scrubber(appearance)
        self.chip = ProvenanceChip(appearance)
        self._wave = Label(appearance, "", Role.BUTTON)
        self._time = Label(appearance, "", Role.CAPTION, "text-3")
        self._lay_out()
        self._connect()
        self.show_nothing("", "")

    def sizeHint(self) -> QSize:
        """One bar."""
        return QSize(600, self._appearance.scaled(HEIGHT))

    def _fit(self) -> None:
        self.setFixedHeight(self._appearance.scaled(HEIGHT))

    def show_timeline(self, timeline: BlockTimeline) -> None:
        """Offer to play a launch."""
        self._timeline = timeline
        ends = wave_ends(timeline)
        self._wave_ends = np.array(ends)
        total = max(timeline.duration_s, 1e-15)
        self.scrubber.show_waves(tuple(end / total for end in ends))
        self.chip.show_provenance(timeline.provenance)
        self._offer_speeds()
        self._enable(True)
        self._on_position(self._playback.position_s)

    def show_nothing(self, first: str, second: str) -> None:
        """Say why there is nothing to play."""
        self._timeline = None
        self.scrubber.show_waves((1.0,))
        self.scrubber.show_share(0.0)
        if not self.speed.count():
            self.speed.set_entries([Entry("1.0", "1 µs = 1 s")])
        self.chip.show_provenance(None)
        self._enable(False)
        self._wave.setText(first)
        self._wave.set_tone("text-off")
        self._time.setText(second)
        self._time.set_tone("text-off")

    def change_speed(self, by: int) -> None:
        """Go to the next slower (-1) or faster (1) speed."""
        row = min(max(0, self.speed.currentIndex() + by), self.speed.count() - 1)
        self.speed.setCurrentIndex(row)
        self._playback.set_speed(float(self.speed.key()))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(6)
        for widget in (self.start, self.back, self.play, self.on):
            row.addWidget(widget)
        row.addSpacing(6)
        row.addWidget(self.speed)
        row.addSpacing(8)
        row.addWidget(self.scrubber, 1)
        row.addSpacing(8)
        row.addWidget(self.chip)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        for label in (self._wave, self._time):
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            label.setMinimumWidth(128)
            words.addWidget(label)
        words.addStretch(1)
        row.addLayout(words)

    def _connect(self) -> None:
        playback = self._playback
        self.start.clicked.connect(lambda: playback.move(0.0))
        self.back.clicked.connect(lambda: self.step_asked.emit(-1))
        self.on.clicked.connect(lambda: self.step_asked.emit(1))
        self.play.clicked.connect(self.toggle)
        self.speed.picked.connect(lambda key: playback.set_speed(float(key)))
        self.scrubber.valueChanged.connect(self._on_scrubbed)
        playback.position_changed.connect(self._on_position)
        playback.playing_changed.connect(self.play.show_playing)

    def toggle(self) -> None:
        """Play or pause."""
        if self._playback.playing:
            self._playback.pause()
        else:
            self._playback.play()

    def _offer_speeds(self) -> None:
        usual = nice_speed(self._playback.duration_s)
        entries = [Entry(repr(usual * factor), speed_words(usual * factor)) for factor in FACTORS]
        self.speed.set_entries(entries)
        self.speed.set_key(repr(usual))
        self._playback.set_speed(usual)

    def _enable(self, enabled: bool) -> None:
        for widget in (self.start, self.back, self.play, self.on, self.speed, self.scrubber):
            widget.setEnabled(enabled)

    def _on_scrubbed(self, _value: int) -> None:
        self._playback.move(self.scrubber.share() * self._playback.duration_s)

    def _on_position(self, position_s: float) -> None:
        timeline = self._timeline
        if timeline is None:
            return
        total = self._playback.duration_s
        if not self.scrubber.isSliderDown():
            self.scrubber.show_share(position_s / total if total else 0.0)
        self.scrubber.update()
        wave = int(np.searchsorted(self._wave_ends, position_s, "left")) + 1
        self._wave.setText(
            _("Wave {n} of {waves}").format(
                n=count(min(wave, max(1, timeline.waves))), waves=count(timeline.waves)
            )
        )
        self._wave.set_tone("text")
        at, whole = _in_one_unit(position_s, timeline.duration_s)
        self._time.setText(_("{at} of {whole}").format(at=at, whole=whole))
        self._time.set_tone("text-3")


def wave_ends(timeline: BlockTimeline) -> tuple[float, ...]:
    """When each wave ends, in seconds; a wave that is not among the held blocks is left out."""
    if not timeline.end_s.size:
        return ()
    if timeline.waves > SEGMENTS_AT_MOST * 50:
        return (timeline.duration_s,)
    ends = np.zeros(int(timeline.wave.max()) + 1)
    np.maximum.at(ends, timeline.wave, timeline.end_s)
    ends = np.maximum.accumulate(ends)
    ends[-1] = max(ends[-1], timeline.duration_s)
    return tuple(float(end) for end in ends)


def speed_words(speed: float) -> str:
    """A speed, said as "1 µs = 0.8 s"."""
    for unit, seconds in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        shown = seconds / speed
        if shown <= 80 or unit == "ns":
            return _("1 {unit} = {seconds} s").format(unit=unit, seconds=significant(shown, 2))
    raise AssertionError


def _in_one_unit(at_s: float, whole_s: float) -> tuple[str, str]:
    """Both times in the unit of the whole: "2.31" and "5.4 µs"."""
    whole = duration(whole_s)
    number, _space, _unit = whole.partition(" ")
    shown = float(number.replace(",", "")) if whole_s else 0.0
    return significant(at_s * shown / whole_s if whole_s else 0.0), whole
