# SPDX-License-Identifier: MIT
"""Write figures into files, with or without a window."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from threadloom.model.run import Run
from threadloom.presentation.export.page_size import PageSize
from threadloom.presentation.export.page_text import Extras
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _
from threadloom.ui.figures.pages.figure_page import FigurePage
from threadloom.ui.figures.pages.figure_pages import launch_sweep_page, run_page, sweep_page
from threadloom.ui.figures.pages.image_files import WRITERS
from threadloom.ui.theme.appearance import register_fonts
from threadloom.ui.theme.theme import Theme

USUAL = Extras()
_SWEEP_PAPER = PageSize(160.0, 110.0, 8.0)
_RUN_PAPER = PageSize(120.0, 80.0, 8.0)


class UnknownFormatError(ValueError):
    """A file's ending that no figure can be written as."""


def export(
    result: SweepResult | LaunchSweepResult | Run,
    path: Path,
    *,
    paper: PageSize | None = None,
    theme: str = "print",
    extras: Extras = USUAL,
) -> None:
    """Draw a sweep, or the timings of a run, into a PNG, SVG or PDF file, by its name's ending.

    Raises:
        OSError: If the file cannot be written.
        PageSizeError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    usual = _RUN_PAPER if isinstance(result, Run) else _SWEEP_PAPER
    with _drawing():
        write(_page(result, extras), path, paper or usual, Theme.load(theme))


def _page(result: SweepResult | LaunchSweepResult | Run, extras: Extras) -> FigurePage:
    if isinstance(result, SweepResult):
        return sweep_page(result, extras)
    if isinstance(result, LaunchSweepResult):
        return launch_sweep_page(result, extras)
    return run_page(result, extras)


def write(page: FigurePage, path: Path, paper: PageSize, theme: Theme) -> None:
    """Write one page.

    Raises:
        OSError: If the file cannot be written; what was there before stays.
        PageSizeError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    paper.check()
    ending = path.suffix.lower().lstrip(".")
    if ending not in WRITERS:
        text = _("Figures are written as PNG, SVG or PDF, but {name} has another extension.")
        raise UnknownFormatError(text.format(name=path.name))
    write_bytes(path, WRITERS[ending](page, paper, theme))


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file as a whole, or leave it as it was.

    Raises:
        OSError: If it cannot be written.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o666 & ~mask)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


@contextmanager
def _drawing() -> Iterator[None]:
    """Fonts and an application, which Qt needs for text; one without a screen if there is none."""
    if QGuiApplication.instance() is not None:
        yield
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication(sys.argv[:1])
    register_fonts()
    yield
    application.shutdown()
