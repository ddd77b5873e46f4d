# SPDX-License-Identifier: MIT
"""Files that results are written to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from threadloom.cli.console import print_error
from threadloom.cli.values import OptionError
from threadloom.model.run import Run
from threadloom.services.export import BlocksRecord, write_csv, write_json
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _

PICTURES = (".png", ".svg", ".pdf")
ENDINGS = (*PICTURES, ".csv", ".json")


def check_files(files: Iterable[Path]) -> list[Path]:
    """Look before the work whether each file can be written.

    Raises:
        OptionError: If an ending is not known or a folder is not there.
    """
    chosen = list(files)
    for file in chosen:
        if file.suffix.lower() not in ENDINGS:
            text = _("--export {file}: expected one of these file extensions: {endings}.")
            raise OptionError(text.format(file=file, endings=", ".join(ENDINGS)))
        if not file.parent.is_dir():
            text = _("--export {file}: the folder {folder} does not exist.")
            raise OptionError(text.format(file=file, folder=file.parent))
    return chosen


def export_record(result: SweepResult | LaunchSweepResult, file: Path) -> None:
    """Write one file, in the form that its ending says.

    Raises:
        OptionError: If it cannot be written.
    """
    try:
        match file.suffix.lower():
            case ".csv":
                write_csv(result, file)
            case ".json":
                write_json(result, file)
            case _picture:
                _draw(result, file)
    except OSError as error:
        text = _("--export {file} cannot be written: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror or error)) from error
    print_error(_("Wrote {file}").format(file=file))


def _draw(result: SweepResult | LaunchSweepResult, file: Path) -> None:
    from threadloom.ui.figures.pages.export import export

    export(result, file)


WRITERS = {".csv": write_csv, ".json": write_json}


def check_blocks_file(file: Path) -> None:
    """Look before the work whether the file can be written.

    Raises:
        OptionError: If the ending is not known or the folder is not there.
    """
    if file.suffix.lower() not in WRITERS:
        text = _("--timeline {file}: expected one of these file extensions: {endings}.")
        raise OptionError(text.format(file=file, endings=", ".join(WRITERS)))
    if not file.parent.is_dir():
        text = _("--timeline {file}: the folder {folder} does not exist.")
        raise OptionError(text.format(file=file, folder=file.parent))


def write_blocks(result: Run, file: Path) -> None:
    """Write the file; say so if no block ran.

    Raises:
        OptionError: If it cannot be written.
    """
    if result.timeline is None:
        print_error(_("No block ran, so {file} is not written.").format(file=file))
        return
    try:
        WRITERS[file.suffix.lower()](BlocksRecord.of(result), file)
    except OSError as error:
        text = _("--timeline {file} cannot be written: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror or error)) from error
    print_error(_("Wrote {file}").format(file=file))
