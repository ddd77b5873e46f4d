# SPDX-License-Identifier: MIT
"""Write figures into files, with or without a window."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from threadloom.services.request import LaunchSweepResult, RunResult, SweepResult
from threadloom.text import _
from threadloom.ui.figures.files import WRITERS
from threadloom.ui.figures.paper import Paper
from threadloom.ui.figures.sheet import Sheet
from threadloom.ui.figures.sheets import Extras, launch_sweep_sheet, run_sheet, sweep_sheet
from threadloom.ui.look import register_fonts
from threadloom.ui.theme import Theme

USUAL = Extras()


class UnknownFormatError(ValueError):
    """A file's ending that no figure can be written as."""


def export_sweep(
    result: SweepResult,
    path: Path,
    *,
    width_mm: float = 160.0,
    height_mm: float = 110.0,
    text_pt: float = 8.0,
    dpi: float = 300.0,
    theme: str = "print",
    extras: Extras = USUAL,
) -> None:
    """Draw a sweep into a PNG, SVG or PDF file, by the ending of its name.

    Raises:
        OSError: If the file cannot be written.
        PaperError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    paper = Paper(width_mm, height_mm, text_pt, dpi)
    _export(partial(sweep_sheet, result), path, paper, theme, extras)


def export_launch_sweep(
    result: LaunchSweepResult,
    path: Path,
    *,
    width_mm: float = 160.0,
    height_mm: float = 110.0,
    text_pt: float = 8.0,
    dpi: float = 300.0,
    theme: str = "print",
    extras: Extras = USUAL,
) -> None:
    """Draw a sweep over launches, in the same way.

    Raises:
        OSError: If the file cannot be written.
        PaperError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    paper = Paper(width_mm, height_mm, text_pt, dpi)
    _export(partial(launch_sweep_sheet, result), path, paper, theme, extras)


def export_run(
    result: RunResult,
    path: Path,
    *,
    width_mm: float = 120.0,
    height_mm: float = 80.0,
    text_pt: float = 8.0,
    dpi: float = 300.0,
    theme: str = "print",
    extras: Extras = USUAL,
) -> None:
    """Draw the timings of a run as bars, in the same way.

    Raises:
        OSError: If the file cannot be written.
        PaperError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    paper = Paper(width_mm, height_mm, text_pt, dpi)
    _export(partial(run_sheet, result), path, paper, theme, extras)


def _export(
    sheet: Callable[[Extras], Sheet], path: Path, paper: Paper, theme: str, extras: Extras
) -> None:
    with _drawing():
        write(sheet(extras), path, paper, Theme.load(theme))


def write(sheet: Sheet, path: Path, paper: Paper, theme: Theme) -> None:
    """Write one sheet.

    Raises:
        OSError: If the file cannot be written; what was there before stays.
        PaperError: If the size makes no sense.
        UnknownFormatError: For any other ending.
    """
    paper.check()
    ending = path.suffix.lower().lstrip(".")
    if ending not in WRITERS:
        text = _("A figure is written as PNG, SVG or PDF; {name} ends in none of these.")
        raise UnknownFormatError(text.format(name=path.name))
    write_bytes(path, WRITERS[ending](sheet, paper, theme))


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
