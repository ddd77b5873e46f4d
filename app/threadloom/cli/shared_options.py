# SPDX-License-Identifier: MIT
"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from threadloom.cli.numbers import number
from threadloom.text import _

Json = Annotated[bool, typer.Option("--json", help=_("Print exactly one JSON object to stdout."))]
Deadline = Annotated[
    float,
    typer.Option(
        "--deadline",
        metavar="SECONDS",
        parser=number(0.1),
        help=_("Time limit in seconds."),
    ),
]
