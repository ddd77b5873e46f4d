# SPDX-License-Identifier: MIT
"""Records from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from threadloom.services.export.document import Readable, record_of
from threadloom.services.export.table import from_table
from threadloom.text import _
from threadloom.worker.outcome import ExpectedError


class RecordError(ExpectedError):
    """A file that holds no timings of ours; the text says which and why."""


def read_json(path: Path) -> Readable:
    """Read what `write_json` wrote.

    Raises:
        RecordError: If the file holds something else.
        OSError: If it cannot be read.
    """
    return _read(path, json.loads)


def read_csv(path: Path) -> Readable:
    """Read what `write_csv` wrote.

    Raises:
        RecordError: If the file holds something else.
        OSError: If it cannot be read.
    """
    return _read(path, from_table)


def _read(path: Path, parse: Callable[[str], Mapping[str, Any]]) -> Readable:
    try:
        return record_of(parse(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        text = _("{file} does not contain readable timings: {reason}")
        raise RecordError(text.format(file=path, reason=error)) from error
