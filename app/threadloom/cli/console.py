# SPDX-License-Identifier: MIT
"""What is printed where: results on standard output, all else on standard error."""

from __future__ import annotations

import codecs
import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console


def print_json(document: dict[str, Any]) -> None:
    """One JSON object on standard output; a figure that is not finite is null."""
    plain = not _is_utf_8(sys.stdout)
    typer.echo(json.dumps(finite(document), ensure_ascii=plain, indent=1, allow_nan=False))


def _is_utf_8(stream: TextIO | None) -> bool:
    return stream is not None and codecs.lookup(stream.encoding or "ascii").name == "utf-8"


def finite(value: Any) -> Any:
    """The same value with null for NaN and infinities, which JSON has no words for."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):
        return None
    return value


def print_error(text: str) -> None:
    """A message on standard error."""
    typer.echo(text.rstrip("\n"), err=True)


def output() -> Console:
    """Tables and colors for standard output."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


def messages() -> Console:
    """Progress for standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False)
