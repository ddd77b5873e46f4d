# SPDX-License-Identifier: MIT
"""What stands on an exported page beside the figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.operation import Operation
from threadloom.model.run import Run
from threadloom.services.messages.sweep import SweepResult
from threadloom.text import _, count
from threadloom_kernels import discover

_EQUALS = "\u00a0=\u00a0"
"""Keeps a name and its value on one line."""


@dataclass(frozen=True, slots=True)
class Extras:
    """What a user wants on the page beside the figure."""

    title: bool = True
    """Title of the page and labels of the axes."""
    spread: bool = True
    break_even: bool = True
    caption: bool = True
    transparent: bool = False


def sweep_heading(result: SweepResult) -> str:
    """Such as "Matrix multiply, tiled, float32"."""
    job = result.job
    return _("{kernel}, {dtype}").format(
        kernel=_kernel(job.operation, job.variant), dtype=job.dtype
    )


def variant_titles(operation: str) -> dict[str, str]:
    """Titles of an operation's variants by name, of those that ship with the program."""
    found = discover(None).get(operation)
    return {} if found is None else {one.name: _(one.title) for one in found.variants}


def run_heading(result: Run) -> str:
    """Kernel, type and sizes of a run."""
    job = result.job
    text = _("{kernel}, {dtype}, {sizes}")
    kernel, sizes = _kernel(job.operation, job.variant), _sizes_words(job.sizes)
    return text.format(kernel=kernel, dtype=job.dtype, sizes=sizes)


def _sizes_words(sizes: Mapping[str, int]) -> str:
    """Such as "m = n = k = 512" or "rows = 3, cols = 4"."""
    extents = set(sizes.values())
    if len(extents) == 1:
        return _EQUALS.join([*sizes, count(extents.pop())])
    return ", ".join(f"{name}{_EQUALS}{count(size)}" for name, size in sizes.items())


def _kernel(operation: str, variant: str) -> str:
    """Titles of a kernel, or its names if it is none of those that ship with the program."""
    found: Operation | None = discover(None).get(operation)
    if found is None:
        return f"{operation}, {variant}"
    titles = [_(one.title) for one in found.variants if one.name == variant]
    text = _("{operation}, {variant}")
    return text.format(operation=_(found.title), variant=(titles or [variant])[0])
