# SPDX-License-Identifier: MIT
"""Puts the commands together and turns errors into messages and exit statuses."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
from collections.abc import Sequence
from typing import Annotated

import typer

from threadloom.backends.base import EngineUnavailableError
from threadloom.cli import commands
from threadloom.cli.console import print_error
from threadloom.cli.status import Status
from threadloom.text import _
from threadloom.worker.outcome import ExitReason, ExpectedError, Outcome, RequestFailedError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status. Without ``arguments`` they are the program's own."""
    try:
        build()(args=None if arguments is None else list(arguments), prog_name="threadloom")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
    except RequestFailedError as error:
        return _failed(error.outcome)
    except EngineUnavailableError as error:
        print_error(str(error))
        return Status.NOT_HERE
    except ExpectedError as error:
        print_error(str(error))
        return Status.UNUSABLE
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        _give_up_output(error)
        return Status.UNUSABLE
    return Status.DONE


def _give_up_output(error: OSError) -> None:
    """Say that standard output takes no more, and let Python's own flush at the end succeed."""
    text = _("Standard output cannot be written: {reason}")
    print_error(text.format(reason=error.strerror))
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.close(sink)


def _failed(outcome: Outcome) -> int:
    print_error(str(outcome.message))
    if outcome.reason is ExitReason.CANCELLED:
        return Status.INTERRUPTED
    if isinstance(outcome.error, EngineUnavailableError):
        return Status.NOT_HERE
    if isinstance(outcome.error, ExpectedError):
        return Status.UNUSABLE
    if outcome.detail:
        print_error(outcome.detail)
    return Status.FAULT


OLD_OPTIONS = {
    "over": "vary",
    "journey": "breakdown",
    "no-journey": "no-breakdown",
    "model": "gpu-model",
    "skip-above": "max-time",
}
"""Option names of version 0.1, accepted for one version and not shown in the help."""


def _current_option(name: str) -> str:
    return OLD_OPTIONS.get(name, name)


def build() -> typer.Typer:
    """The program with all its commands."""
    app = typer.Typer(
        help=_("Run, inspect and time CUDA kernel launches."),
        context_settings={
            "help_option_names": ["-h", "--help"],
            "token_normalize_func": _current_option,
        },
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_start)
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda m: m.name):
        found = importlib.import_module(f"{commands.__name__}.{module.name}")
        app.command(module.name)(found.command)
        for alias in getattr(found, "ALIASES", ()):
            app.command(alias, hidden=True)(found.command)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"threadloom {version('threadloom')}")
        raise typer.Exit


def _start(
    context: typer.Context,
    _show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help=_("Show the version and exit.")
        ),
    ] = False,
) -> None:
    """Open the window, or run a command."""
    if context.invoked_subcommand is None:
        from threadloom.cli.commands.gui import open_window

        raise typer.Exit(open_window(None, None))
