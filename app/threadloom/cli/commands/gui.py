# SPDX-License-Identifier: MIT
"""``threadloom gui``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from threadloom.cli.numbers import number
from threadloom.text import _


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help=_("Workspace to open."))
    ] = None,
    quit_after: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", parser=number(0), help=_("Close the window after this time.")
        ),
    ] = None,
) -> None:
    """Open the window."""
    raise typer.Exit(open_window(file, quit_after))


def open_window(file: Path | None, quit_after_s: float | None) -> int:
    """Run the window until it is closed; gives the exit status."""
    from threadloom.ui.app.application import run

    return run(file, quit_after_s)
