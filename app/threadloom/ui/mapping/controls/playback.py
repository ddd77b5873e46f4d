# SPDX-License-Identifier: MIT
"""The animation's clock: launch time as a function of the time on the wall."""

from __future__ import annotations

import math

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

FRAME_MS = 16
CALM_STEP_MS = 1000
"""With reduced motion, one wave a second."""
USUAL_S = 6.0
"""How long a whole launch takes to watch, about: 4 to 8 s."""
STEPS = (1.0, 2.0, 5.0)


def nice_speed(duration_s: float, wanted_s: float = USUAL_S) -> float:
    """Launch seconds that pass in one second, so that a launch lasts 4 to 8 s to watch.

    Put so that it can be said plainly: "1 µs = 0.8 s". The seconds on the right have one digit.
    """
    if duration_s <= 0:
        return 1.0
    unit = 10.0 ** (3 * math.floor(math.log10(duration_s) / 3 + 1e-9))
    shown = wanted_s * unit / duration_s
    power = 10.0 ** math.floor(math.log10(shown))
    digit = max(1, min(9, round(shown / power)))
    return unit / (digit * power)


class Playback(QObject):
    """Plays from a position to the end; the position follows from the clock, not from frames."""

    position_changed = Signal(float)
    """Seconds in the launch."""
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.duration_s = 0.0
        self.position_s = 0.0
        self.speed = 1.0
        """Launch seconds in one second."""
        self.calm = False
        """Step from wave to wave instead of moving."""
        self.wave_ends: tuple[float, ...] = ()
        """Ends of the waves, in seconds."""
        self._from_s = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_tick)

    @property
    def playing(self) -> bool:
        """Whether it runs."""
        return self._timer.isActive()

    def load(self, duration_s: float, wave_ends: tuple[float, ...], position_s: float) -> None:
        """Take another launch."""
        self.duration_s, self.wave_ends = duration_s, wave_ends
        self.speed = nice_speed(duration_s)
        self.move(position_s)

    def move(self, position_s: float) -> None:
        """Go to a position; playing goes on from there."""
        self.position_s = min(max(0.0, position_s), self.duration_s)
        self._from_s = self.position_s
        self._clock.restart()
        self.position_changed.emit(self.position_s)

    def set_speed(self, speed: float) -> None:
        """Play faster or slower from here on."""
        self.speed = speed
        self._from_s = self.position_s
        self._clock.restart()

    def play(self) -> None:
        """Start, from the beginning if it is at the end."""
        if self.playing or self.duration_s <= 0:
            return
        if self.position_s >= self.duration_s:
            self.move(0.0)
        self._from_s = self.position_s
        self._clock.restart()
        self._timer.start(CALM_STEP_MS if self.calm else FRAME_MS)
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop where it is."""
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def next_wave(self, by: int = 1) -> None:
        """Go to the end of the wave after or before."""
        ends = (0.0, *self.wave_ends) if self.wave_ends else (0.0, self.duration_s)
        slack = self.duration_s * 1e-6
        if by > 0:
            later = [end for end in ends if end > self.position_s + slack]
            self.move(later[0] if later else self.duration_s)
        else:
            earlier = [end for end in ends if end < self.position_s - slack]
            self.move(earlier[-1] if earlier else 0.0)

    def _on_tick(self) -> None:
        if self.calm:
            self.next_wave()
        else:
            passed = self._clock.nsecsElapsed() * 1e-9
            self.position_s = min(self._from_s + passed * self.speed, self.duration_s)
            self.position_changed.emit(self.position_s)
        if self.position_s >= self.duration_s:
            self.pause()
