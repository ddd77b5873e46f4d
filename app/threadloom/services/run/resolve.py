# SPDX-License-Identifier: MIT
"""From a job in names and numbers to the operation, variant, launch and source that it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import Launch
from threadloom.model.message import Message, _, message_of
from threadloom.model.operation import Operation, Variant
from threadloom.services.devices.device_table import UnknownDeviceError
from threadloom.services.devices.device_table import find as find_device
from threadloom.worker.outcome import ExpectedError
from threadloom_kernels import (
    SizeError,
    UnknownTypeError,
    check_sizes,
    default_launch,
    discover,
    read_source,
)

DTYPES = {
    "f32": "float32",
    "float": "float32",
    "single": "float32",
    "f64": "float64",
    "double": "float64",
}
"""Short names of element types."""


class JobError(ExpectedError):
    """A job that means nothing; the text names the value and what there is."""


class UnknownNameError(JobError):
    """A name that is not there, with those that are."""

    def __init__(self, text: Message, name: str, known: tuple[str, ...]) -> None:
        self.text = text
        self.name = name
        self.known = known
        super().__init__(text, name, known)

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a job means."""

    job: Job
    operation: Operation
    variant: Variant
    sizes: Mapping[str, int]
    """Every axis."""
    dtype: str
    launch: Launch
    source: str
    """Text to compile."""
    entry: str | None
    """Kernel to launch; None if the source is edited and the user named none."""

    @property
    def item_bytes(self) -> int:
        """Bytes of an element."""
        return int(np.dtype(self.dtype).itemsize)


def resolve(job: Job) -> Resolved:
    """Look up everything that a job names.

    Raises:
        JobError: If a name is not there or a size makes no problem.
    """
    operation = find_operation(job.operation, job.operations_folder)
    variant = find_variant(operation, job.variant)
    dtype = find_dtype(operation, job.dtype)
    sizes = every_size(operation, job.sizes)
    return Resolved(
        job=job,
        operation=operation,
        variant=variant,
        sizes=sizes,
        dtype=dtype,
        launch=chosen_launch(job, variant, sizes, int(np.dtype(dtype).itemsize)),
        source=read_source(operation, variant, dtype) if job.source is None else job.source,
        entry=job.entry or (variant.entry if job.source is None else None),
    )


def find_operation(name: str, folder: str | None = None) -> Operation:
    """The operation of this name.

    Raises:
        UnknownNameError: If there is none.
    """
    operations = discover(Path(folder) if folder else None)
    if name not in operations:
        text = _("Unknown operation {name}. Operations are {known}.")
        raise _unknown(text, name, operations)
    return operations[name]


def find_variant(operation: Operation, name: str) -> Variant:
    """The variant of this name, or the default one for an empty name.

    Raises:
        UnknownNameError: If there is none.
    """
    known = {variant.name: variant for variant in operation.variants}
    if not name:
        return operation.variants[0]
    if name not in known:
        text = _("{operation} has no variant {name}. Its variants are {known}.")
        raise _unknown(text, name, known, operation=operation.name)
    return known[name]


def find_engine(name: str) -> EngineChoice:
    """The engine with a name such as ``auto``.

    Raises:
        JobError: If there is none.
    """
    if name not in list(EngineChoice):
        text = _("Unknown engine {name}. Engines are {known}.")
        raise JobError(text.format(name=name, known=", ".join(EngineChoice)))
    return EngineChoice(name)


def find_dtype(operation: Operation, name: str) -> str:
    """NumPy's name of an element type that the operation has.

    Raises:
        UnknownNameError: If it has not.
    """
    dtype = DTYPES.get(name, name)
    if dtype not in operation.dtypes:
        text = _("{operation} does not support type {name}. Its types are {known}.")
        raise _unknown(text, name, operation.dtypes, operation=operation.name)
    return dtype


def modeled_device(name: str) -> DeviceModel:
    """A device of the table.

    Raises:
        JobError: If there is none of this name.
    """
    try:
        return find_device(name)
    except UnknownDeviceError as error:
        raise JobError(message_of(error)) from error


def every_size(operation: Operation, chosen: Mapping[str, int]) -> dict[str, int]:
    """Every axis with its chosen or default extent.

    Raises:
        JobError: If an axis is not there, too short, or an array would be too large.
    """
    known = tuple(axis.name for axis in operation.axes)
    for name in chosen:
        if name not in known:
            text = _("{operation} has no axis {name}. Its axes are {known}.")
            raise _unknown(text, name, known, operation=operation.name)
    sizes = operation.sizes(chosen)
    try:
        check_sizes(operation, sizes)
    except (SizeError, UnknownTypeError) as error:
        raise JobError(message_of(error)) from error
    return sizes


def bare_size(operation: Operation, size: int) -> dict[str, int]:
    """Every axis that a bare size sets, set to it."""
    return {axis.name: size for axis in operation.axes if axis.set_by_bare_size}


def chosen_launch(job: Job, variant: Variant, sizes: Mapping[str, int], item_bytes: int) -> Launch:
    """The job's launch, with the variant's rule for what it leaves open."""
    ruled = default_launch(variant, sizes, item_bytes, job.block)
    return Launch(
        grid=_or(job.grid, ruled.grid),
        block=ruled.block,
        shared_bytes=ruled.shared_bytes if job.shared_bytes is None else job.shared_bytes,
    )


def _or(chosen: Dim3 | None, ruled: Dim3) -> Dim3:
    return ruled if chosen is None else chosen


def _unknown(text: Message, name: str, known: Iterable[str], **more: str) -> UnknownNameError:
    names = tuple(known)
    words = text.format(name=name or "''", known=", ".join(names), **more)
    return UnknownNameError(words, name, names)
