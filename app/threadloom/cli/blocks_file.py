# SPDX-License-Identifier: MIT
"""The file that says when and where each block ran."""

from __future__ import annotations

from pathlib import Path

from threadloom.cli.console import print_error
from threadloom.cli.values import OptionError
from threadloom.model.run import Run
from threadloom.services.export import BlocksRecord, write_csv, write_json
from threadloom.text import _

WRITERS = {".csv": write_csv, ".json": write_json}


def check_blocks_file(file: Path) -> None:
    """Look before the work whether the file can be written.

    Raises:
        OptionError: If the ending is not known or the folder is not there.
    """
    if file.suffix.lower() not in WRITERS:
        text = _("--timeline {file}: the ending must be one of {endings}.")
        raise OptionError(text.format(file=file, endings=", ".join(WRITERS)))
    if not file.parent.is_dir():
        text = _("--timeline {file}: there is no folder {folder}.")
        raise OptionError(text.format(file=file, folder=file.parent))


def write_blocks(result: Run, file: Path) -> None:
    """Write the file; say so if no block ran.

    Raises:
        OptionError: If it cannot be written.
    """
    if result.timeline is None:
        print_error(_("No block ran; {file} is not written.").format(file=file))
        return
    try:
        WRITERS[file.suffix.lower()](BlocksRecord.of(result), file)
    except OSError as error:
        text = _("--timeline {file} cannot be written: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror or error)) from error
    print_error(_("Wrote {file}").format(file=file))
