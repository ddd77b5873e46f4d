# SPDX-License-Identifier: MIT
"""Records into files; a file is replaced as a whole or left as it was."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from threadloom.services.export.document import Record, document_of
from threadloom.services.export.table import to_table


def write_json(record: Record, path: Path) -> None:
    """Write a JSON object.

    Raises:
        OSError: If the file cannot be written.
    """
    write_text(path, to_json(record))


def write_csv(record: Record, path: Path) -> None:
    """Write a table with one row for each sample, of blocks one for each block or warp.

    Raises:
        OSError: If the file cannot be written.
    """
    write_text(path, to_csv(record))


def to_json(record: Record) -> str:
    """One JSON object as text."""
    text = json.dumps(document_of(record), indent=1, ensure_ascii=False, allow_nan=False)
    return text + "\n"


def to_csv(record: Record) -> str:
    """The table as text."""
    return to_table(record)


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step, by way of another in the same folder.

    Raises:
        OSError: If the file cannot be written.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(_mode(path))
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, else those of any new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
