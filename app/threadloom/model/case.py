# SPDX-License-Identifier: MIT
"""Any kernel with its arguments and launch, as the caller's Python code gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CaseArgument:
    """One argument as the caller passes it."""

    name: str
    type: str
    """As in the kernel, with its star."""
    dtype: str
    """Of what is passed, which may be another type."""
    shape: tuple[int, ...] | None = None
    """In NumPy's order; None for a number."""
    access: str = "in"
    """``in``, ``out`` (copied back only), ``inout``, or ``raw`` (memory of the device alone)."""
    init: str = "zeros"
    """Start value: ``arange``, ``zeros``, ``ones``, ``empty``, ``fill:v``, ``mod:m``, ``spike``,
    ``values:a,b,…``."""
    order: str = "C"
    value: float | int | bool | None = None
    """Of a number."""
    passed: str = ""
    """The Python expression that is passed, where it is known."""


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel with its launch."""

    title: str
    kernel: str
    source: str
    """The user's own text: without the line that PyCUDA puts before it."""
    arguments: tuple[CaseArgument, ...]
    block: tuple[object, ...]
    """What is given, whether a launch can have it or not; three numbers if it can."""
    grid: tuple[object, ...]
    shared_bytes: object = 0
    """What is given; a whole number if a launch can have it."""
    flags: tuple[str, ...] = ()
    """Options for nvcc, those of ``SourceModule`` included."""
    wrapped: bool = False
    """Whether PyCUDA is known to put the source within ``extern "C"``."""
    no_extern_c: bool = False
    """Whether PyCUDA was told not to."""
    include_dirs: bool = False
    """Whether folders of headers are named."""
    unknown_keywords: tuple[str, ...] = ()
    """Arguments that ``SourceModule`` does not have."""
    tolerance: float | None = None
    """Error allowed, as a share of the largest value that is right; None for none between whole
    numbers, and 1e-5 between others."""
    right_result: Mapping[str, Any] = field(default_factory=dict)
    """What the outputs should be, by name."""
    block_py: str = ""
    """The Python expression that gives the block, where it is known."""
    grid_py: str = ""
