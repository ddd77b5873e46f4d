# SPDX-License-Identifier: MIT
"""``threadloom operations``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from threadloom.cli.shared_options import Json
from threadloom.text import _, in_english

if TYPE_CHECKING:
    from threadloom.model.operation import Operation

ALIASES = ("ops",)
"""Names of version 0.1."""


def command(
    json: Json = False,
    operations: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=_("Folder with user-defined operations."))
    ] = None,
) -> None:
    """List the operations with their variants and axes."""
    from threadloom.cli.console import print_error, print_json
    from threadloom_kernels import find

    found = find(operations)
    for error in found.errors:
        print_error(str(error))
    if json:
        with in_english():
            print_json({"operations": [_document(o) for o in found.operations.values()]})
    else:
        _print(found.operations.values())


def _document(operation: Operation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "title": _(operation.title),
        "summary": _(operation.summary),
        "formula": operation.formula,
        "axes": [
            {
                "name": axis.name,
                "title": _(axis.title) if axis.title else axis.name,
                "default": axis.default,
                "minimum": axis.minimum,
                "set_by_bare_size": axis.set_by_bare_size,
            }
            for axis in operation.axes
        ],
        "dtypes": list(operation.dtypes),
        "arguments": [{"name": a.name, "role": a.role.value} for a in operation.arguments],
        "variants": [
            {
                "name": variant.name,
                "title": _(variant.title),
                "summary": _(variant.summary),
                "file": variant.file,
                "entry": variant.entry,
                "max_elements": variant.max_elements,
            }
            for variant in operation.variants
        ],
    }


def _print(operations: Any) -> None:
    from rich.table import Table

    from threadloom.cli.console import output
    from threadloom.text import count

    table = Table(box=None, pad_edge=False)
    for title in (_("Operation"), _("Formula"), _("Axes"), _("Variants")):
        table.add_column(title)
    for operation in operations:
        axes = ", ".join(f"{axis.name}={count(axis.default)}" for axis in operation.axes)
        variants = ", ".join(variant.name for variant in operation.variants)
        table.add_row(operation.name, operation.formula, axes, variants)
    output().print(table)
