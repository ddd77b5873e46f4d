# SPDX-License-Identifier: MIT
"""``threadloom screenshot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from threadloom.cli.job_options import JobOptions, takes_job
from threadloom.cli.numbers import number, whole
from threadloom.text import _

if TYPE_CHECKING:
    from threadloom.services.storage.workspace import Workspace

ALIASES = ("picture",)
"""Names of version 0.1."""

TABS = ("timings", "memory", "timeline", "source", "runs")


@takes_job
def command(
    options: JobOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE.png", help=_("Output file (.png)."))],
    theme: Annotated[str, typer.Option(metavar="light|dark", help=_("Color theme."))] = "light",
    scale: Annotated[
        float, typer.Option(metavar="N", parser=number(0.5, 8), help=_("Device pixel ratio."))
    ] = 1.0,
    width: Annotated[
        int, typer.Option(metavar="N", parser=whole(640, 8192), help=_("Window width in pixels."))
    ] = 1440,
    height: Annotated[
        int, typer.Option(metavar="N", parser=whole(400, 8192), help=_("Window height in pixels."))
    ] = 900,
    tab: Annotated[
        str | None, typer.Option(metavar="|".join(TABS), help=_("Tab to show below the mapping."))
    ] = None,
    at: Annotated[
        float | None,
        typer.Option(
            metavar="N", parser=number(0, 1), help=_("Position in the animation, from 0 to 1.")
        ),
    ] = None,
) -> None:
    """Save an image of the window, rendered off screen."""
    from threadloom.cli.console import print_error
    from threadloom.cli.values import OptionError

    _check(file, theme, tab)
    workspace = _workspace(options)
    from threadloom.ui.app.screenshot import save

    try:
        save(file, workspace, theme=theme, scale=scale, width=width, height=height, tab=tab, at=at)
    except OSError as error:
        text = _("{file} cannot be written: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror or error)) from error
    print_error(_("Wrote {file}").format(file=file))


def _check(file: Path, theme: str, tab: str | None) -> None:
    from threadloom.cli.values import OptionError

    if file.suffix.lower() != ".png":
        raise OptionError(_("{file}: expected a .png file.").format(file=file))
    if not file.parent.is_dir():
        text = _("{file}: the folder {folder} does not exist.")
        raise OptionError(text.format(file=file, folder=file.parent))
    for option, value, known in (
        ("--theme", theme, ("light", "dark")),
        ("--tab", tab, TABS),
    ):
        if value is not None and value not in known:
            text = _("{option} {value}: expected one of {known}.")
            raise OptionError(text.format(option=option, value=value, known=", ".join(known)))


def _workspace(options: JobOptions) -> Workspace:
    from threadloom.presentation.restored_run import with_job
    from threadloom.services.run.resolve import resolve
    from threadloom.services.storage.workspace import Workspace

    job = options.job()
    file = str(options.source) if options.source else None
    return with_job(Workspace(), job, resolve(job).launch, file)
