# SPDX-License-Identifier: MIT
"""Which thread is selected by pointer and keys, and for how long."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QToolTip

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.hit_test import Target, TargetKind
from threadloom.presentation.mapping.steps import moved
from threadloom.presentation.mapping.tooltips import tip
from threadloom.ui.mapping.model.current_model import CurrentModel
from threadloom.ui.mapping.panes.canvas import Canvas
from threadloom.ui.state.store import Store

LINGER_MS = 400
"""How long the last thread stays selected after the pointer has left."""


class ThreadSelection(QObject):
    """Selects the thread below the pointer, pins the one that is clicked."""

    def __init__(self, store: Store, current: CurrentModel, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._store, self._current, self._canvas = store, current, canvas
        self.element: int | None = None
        """The element that was pointed at, or that the thread wrote."""
        self._linger = QTimer(self)
        self._linger.setSingleShot(True)
        self._linger.setInterval(LINGER_MS)
        self._linger.timeout.connect(self._on_lingered)
        canvas.pointed.connect(self._on_pointed)
        canvas.clicked.connect(self._on_clicked)
        canvas.left.connect(self._on_left)

    def move(self, across: int, down: int) -> None:
        """Select a neighbor along x or y, on into the next block; pinned stays pinned."""
        selected_thread = self._store.selected_thread
        launch = self._current.model.launch
        if selected_thread is None:
            self._select(ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0)), pinned=True)
            return
        axes = [(0, across), (1, down)] if launch.block.rank > 1 else [(0, across + 32 * down)]
        thread = selected_thread.thread
        for axis, by in axes:
            thread = moved(thread, launch.grid, launch.block, axis, by)
        self._select(thread, pinned=True)

    def pin(self) -> None:
        """Keep the selected thread."""
        if self._store.selected_thread is not None:
            self._store.select_thread(self._store.selected_thread.thread, pinned=True)

    def element_of(self, thread: ThreadId | None) -> int | None:
        """The element that was pointed at if this thread wrote it, else the one that it wrote."""
        if thread is None:
            return None
        pointed = self.element
        if pointed is not None and self._current.model.thread_of_element(pointed) == thread:
            return pointed
        return self._current.model.element_of_thread(thread)

    def _select(self, thread: ThreadId | None, *, pinned: bool) -> None:
        self._linger.stop()
        self._store.select_thread(thread, pinned=pinned)

    def _on_pointed(self, target: Target | None) -> None:
        pinned = self._store.selected_thread is not None and self._store.selected_thread.pinned
        if target is None:
            QToolTip.hideText()
            if not pinned and not self._linger.isActive():
                self._linger.start()
            return
        if pinned or target.kind is not TargetKind.THREAD:
            QToolTip.showText(QCursor.pos(), tip(self._current.model, target), self._canvas)
        if not pinned and target.thread is not None:
            self._note_element(target)
            self._select(target.thread, pinned=False)

    def _on_clicked(self, target: Target) -> None:
        selected_thread = self._store.selected_thread
        if target.thread is None:
            return
        if (
            selected_thread is not None
            and selected_thread.pinned
            and selected_thread.thread == target.thread
        ):
            self._select(target.thread, pinned=False)
            return
        self._note_element(target)
        self._select(target.thread, pinned=True)

    def _note_element(self, target: Target) -> None:
        self.element = target.number if target.kind is TargetKind.ELEMENT else None

    def _on_left(self) -> None:
        if self._store.selected_thread is not None and not self._store.selected_thread.pinned:
            self._linger.start()

    def _on_lingered(self) -> None:
        if self._store.selected_thread is not None and not self._store.selected_thread.pinned:
            self._store.select_thread(None)
