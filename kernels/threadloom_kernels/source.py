# SPDX-License-Identifier: MIT
"""Sources of an operation, with the element type filled in."""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from threadloom.model.message import Message, _
from threadloom.model.operation import Operation, Variant

TYPE_LINE = "typedef float real;"
"""The one line of a source that says the element type."""
C_TYPES = {"float32": "float", "float64": "double"}
"""C's names of NumPy's types."""

_TYPE_LINE = re.compile(r"^typedef (?:float|double) real;", re.MULTILINE)


class UnknownTypeError(ValueError):
    """An element type that no kernel here is written for."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        super().__init__(dtype)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """What is wrong, still to be worded."""
        return _("No kernel supports type {dtype}. Supported types are {known}.").format(
            dtype=self.dtype, known=", ".join(C_TYPES)
        )


def folder_of(operation: Operation) -> Traversable:
    """Folder with the sources: of an installed package, or the user's own."""
    package = operation.package
    return Path(package) if Path(package).is_absolute() else resources.files(package)


def read_source(operation: Operation, variant: Variant | str | None, dtype: str) -> str:
    """Read a variant's ``.cu`` file, by default the first one's, for elements of ``dtype``.

    Raises:
        KeyError: If there is no such variant.
        UnknownTypeError: If there is no such type.
    """
    if not isinstance(variant, Variant):
        variant = operation.variant(variant)
    return with_type((folder_of(operation) / variant.file).read_text("utf-8"), dtype)


def read_loop(operation: Operation, dtype: str) -> str:
    """Read the C file with the one-thread loop, entry ``loop``, for elements of ``dtype``.

    Raises:
        UnknownTypeError: If there is no such type.
    """
    return with_type((folder_of(operation) / operation.loop_file).read_text("utf-8"), dtype)


def with_type(source: str, dtype: str) -> str:
    """Fill in the element type; a source without the line is returned as it is.

    Raises:
        UnknownTypeError: If there is no such type.
    """
    if dtype not in C_TYPES:
        raise UnknownTypeError(dtype)
    return _TYPE_LINE.sub(f"typedef {C_TYPES[dtype]} real;", source, count=1)
