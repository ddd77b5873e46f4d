# SPDX-License-Identifier: MIT
"""A line of 2 px under the toolbar while something takes longer than 300 ms."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRectF, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from threadloom.services.messages.sweep import SweepProgress
from threadloom.ui.state.store import Activity, LaunchSweep, Store
from threadloom.ui.theme.theme import Appearance

_DELAY_MS = 300
_LAP_S = 1.4


class BusyLine(QWidget):
    """Shows how far a sweep is; for a run, that it goes on."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._share: float | None = None
        self.setFixedHeight(2)
        self._clock = QElapsedTimer()
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self.show)
        self._beat = QTimer(self, interval=33)
        self._beat.timeout.connect(self.update)
        keep = self.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.setSizePolicy(keep)
        self.hide()
        store.activity_changed.connect(self._on_activity_changed)
        store.sweep_changed.connect(self._on_sweep_changed)
        store.launch_sweep_changed.connect(self._on_launch_sweep_changed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the share that is done, or a stretch that wanders."""
        painter = QPainter(self)
        width = self.width()
        if self._share is not None:
            box = QRectF(0, 0, width * self._share, 2)
        else:
            lap = (self._clock.elapsed() / 1000.0 / _LAP_S) % 1.0
            box = QRectF((lap * 1.3 - 0.3) * width, 0, 0.3 * width, 2)
        painter.fillRect(box, self._appearance.color("accent"))

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to move."""
        super().showEvent(event)
        self._clock.start()
        self._beat.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stand still."""
        super().hideEvent(event)
        self._beat.stop()

    def _on_activity_changed(self, activity: Activity) -> None:
        self._share = None
        if activity is Activity.IDLE:
            self._delay.stop()
            self.hide()
        elif not self.isVisible():
            self._delay.start()

    def _on_sweep_changed(self, sweep: object) -> None:
        if isinstance(sweep, SweepProgress) and sweep.total:
            self._share = sweep.done / sweep.total
            self.update()

    def _on_launch_sweep_changed(self, sweep: object) -> None:
        if isinstance(sweep, LaunchSweep) and sweep.running:
            self._share = len(sweep.result.points) / len(sweep.choices)
            self.update()
