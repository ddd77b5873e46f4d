# SPDX-License-Identifier: MIT
"""Remembers that the whole way of a run is wanted, until there is time for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from threadloom.model.job import Job
from threadloom.services.messages.run import RunRequest
from threadloom.ui.app.run_requests import breakdown_request
from threadloom.ui.state.store import Store

PAUSE_MS = 800
"""With Live, a run stands for so long before its whole way is timed."""


class BreakdownWait(QObject):
    """With Live it waits for a pause: a turning knob would end the GPU's process with it."""

    due = Signal()
    """The whole way may be timed now, if nothing else is in hand."""

    def __init__(self, store: Store, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._waits = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._on_pause_over)
        store.breakdown_requested.connect(self._on_requested)

    def forget(self) -> None:
        """Something else has come: who wants the way will ask again."""
        self._waits = False
        self._pause.stop()

    def take(self, job: Job) -> RunRequest | None:
        """What to submit, if the way is wanted and there is a run on a GPU that it belongs to."""
        waited, self._waits = self._waits, False
        return breakdown_request(self._store, job) if waited else None

    def _on_requested(self) -> None:
        if self._store.workspace.live:
            self._pause.start()
        else:
            self._on_pause_over()

    def _on_pause_over(self) -> None:
        self._waits = True
        self.due.emit()
