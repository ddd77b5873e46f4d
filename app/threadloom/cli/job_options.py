# SPDX-License-Identifier: MIT
"""The options that say what to run; every command that takes a job has the same ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, get_type_hints

import typer

from threadloom.cli.console import print_error
from threadloom.cli.numbers import whole
from threadloom.cli.values import OptionError, read_dims, read_named_sizes
from threadloom.text import _

if TYPE_CHECKING:
    from threadloom.model.job import Job

P = ParamSpec("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """Options as they were written."""

    operation: Annotated[
        str,
        typer.Argument(metavar="OP[/VARIANT]", help=_("Operation, optionally with a variant.")),
    ]
    size: Annotated[
        list[str],
        typer.Option(
            "--size",
            metavar="[AXIS=]N",
            help=_("Extent of an axis, such as n=1e6. A bare number sets every axis."),
        ),
    ] = field(default_factory=list)
    dtype: Annotated[str, typer.Option(help=_("Element type: float32 (f32) or float64 (f64)."))] = (
        "float32"
    )
    block: Annotated[
        str | None,
        typer.Option(metavar="X[,Y[,Z]]", help=_("Block dimensions (default: the variant's).")),
    ] = None
    grid: Annotated[
        str | None,
        typer.Option(
            metavar="X[,Y[,Z]]",
            help=_("Grid dimensions (default: enough blocks to cover the problem)."),
        ),
    ] = None
    shared: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES",
            parser=whole(),
            help=_("Dynamic shared memory (default: the variant's)."),
        ),
    ] = None
    engine: Annotated[
        str, typer.Option(metavar="auto|gpu|emulator", help=_("Execution engine."))
    ] = "auto"
    device: Annotated[
        int,
        typer.Option(metavar="N", parser=whole(0), help=_("GPU index, as numbered by the driver.")),
    ] = 0
    model: Annotated[str, typer.Option("--gpu-model", help=_("GPU model to emulate."))] = "RTX 4090"
    seed: Annotated[
        int, typer.Option(metavar="N", parser=whole(), help=_("Random seed of the inputs."))
    ] = 0
    source: Annotated[
        Path | None,
        typer.Option(metavar="FILE.cu", help=_("Source file to compile instead of the variant's.")),
    ] = None
    entry: Annotated[
        str | None, typer.Option(metavar="NAME", help=_("Kernel to launch from that source."))
    ] = None
    operations: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=_("Folder with user-defined operations."))
    ] = None

    def job(self) -> Job:
        """The job that they mean.

        Raises:
            OptionError: If one cannot be read.
            JobError: If the operation or the variant is not there.
        """
        from threadloom.model.job import Job
        from threadloom.services.run.resolve import (
            every_size,
            find_dtype,
            find_engine,
            find_operation,
            find_variant,
        )

        name, _slash, variant = self.operation.partition("/")
        folder = str(self.operations) if self.operations else None
        if self.operations:
            print_folder_error(self.operations)
        operation = find_operation(name, folder)
        return Job(
            operation=name,
            variant=find_variant(operation, variant).name,
            sizes=every_size(operation, read_named_sizes(self.size, operation)),
            dtype=find_dtype(operation, self.dtype),
            block=read_dims("--block", self.block),
            grid=read_dims("--grid", self.grid),
            shared_bytes=self.shared,
            engine=find_engine(self.engine),
            device=self.device,
            model=self.model,
            seed=self.seed,
            source=_read(self.source),
            entry=self.entry,
            operations_folder=folder,
        )


def print_folder_error(folder: Path) -> None:
    """Say which operations of a user's folder cannot be used, and why."""
    from threadloom_kernels import find

    for error in find(folder).errors:
        print_error(str(error))


def _read(file: Path | None) -> str | None:
    from threadloom.services.storage.text_file import TextFileError, read_text

    try:
        return None if file is None else read_text(file)
    except TextFileError as error:
        raise OptionError(f"--source {error}") from error


def takes_job(command: Callable[Concatenate[JobOptions, P], None]) -> Callable[..., None]:
    """Give a command the options of a job beside its own; it gets them as one value."""
    hints = get_type_hints(JobOptions, include_extras=True)
    _first, *own = inspect.signature(command, eval_str=True).parameters.values()
    names = [option.name for option in fields(JobOptions)]
    given = [_parameter(option, hints[option.name]) for option in fields(JobOptions)]

    def wrapped(**values: Any) -> None:
        options = JobOptions(**{name: values.pop(name) for name in names})
        command(options, **values)  # type: ignore[call-arg]

    parameters = [*given, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own)]
    facade: Any = wrapped  # typer looks at these three
    facade.__doc__ = command.__doc__
    facade.__annotations__ = {p.name: p.annotation for p in parameters}
    facade.__signature__ = inspect.Signature(parameters)
    return wrapped


def _parameter(option: Any, annotation: Any) -> inspect.Parameter:
    """A dataclass' field as a parameter; typer copies a list that is a default."""
    default: Any = inspect.Parameter.empty
    if option.name != "operation":
        default = [] if option.name == "size" else option.default
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
