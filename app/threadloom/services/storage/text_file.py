# SPDX-License-Identifier: MIT
"""Text that a user wrote into a file, such as a kernel's source."""

from __future__ import annotations

from pathlib import Path

from threadloom.text import _
from threadloom.worker.outcome import ExpectedError


class TextFileError(ExpectedError):
    """A file whose text cannot be had."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return _("{file} cannot be read: {reason}").format(file=self.path, reason=self.reason)


def read_text(path: Path) -> str:
    """Text of a file in UTF-8, without the mark that some editors put before it.

    Raises:
        TextFileError: If the file cannot be read or holds something else.
    """
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        reason = _("line {line} is not valid UTF-8.").format(line=line)
        raise TextFileError(path, reason) from error
    except OSError as error:
        raise TextFileError(path, error.strerror or str(error)) from error
