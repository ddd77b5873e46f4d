# SPDX-License-Identifier: MIT
"""Writes files beside the window's work, so that a slow disk never stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from threadloom.text import _
from threadloom.ui.figures.pages.export import write_bytes


@dataclass(frozen=True, slots=True)
class File:
    """One file to write, with what makes its content."""

    path: Path
    content: Callable[[], bytes]


class Writing(QObject):
    """Writes a batch of files in order; the first that fails ends it."""

    finished = Signal(str)
    """Why it failed, empty if all files are written."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)

    def start(self, folder: Path, files: Sequence[File]) -> None:
        """Write; `finished` tells when all is done."""
        self._pool.start(_Task(folder, tuple(files), self.finished.emit))

    def wait(self) -> None:
        """Wait for what is being written."""
        self._pool.waitForDone()


class _Task(QRunnable):
    def __init__(self, folder: Path, files: tuple[File, ...], done: Callable[[str], None]) -> None:
        super().__init__()
        self._folder, self._files, self._done = folder, files, done

    def run(self) -> None:
        """Make the folder, then file after file."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for file in self._files:
                write_bytes(file.path, file.content())
        except OSError as error:
            text = _("The folder {folder} is not writable: {why}.")
            self._done(text.format(folder=self._folder, why=error.strerror or error))
        else:
            self._done("")
