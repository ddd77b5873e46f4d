# SPDX-License-Identifier: MIT
"""A kernel's source, its signature and what a compiler says of it."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.message import Message
from threadloom.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Program:
    """CUDA C source with the kernel to launch; both engines take the same text."""

    text: str
    entry: str
    """Name of the ``__global__`` function."""
    filename: str = "kernel.cu"
    """Shown in messages; line numbers are always those of ``text``."""
    options: tuple[str, ...] = ()
    """More options for nvcc, such as ``-use_fast_math``."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel."""

    name: str
    type: str
    """Type without qualifiers, pointer star or name, such as ``float`` or ``unsigned int``."""
    pointer: bool
    const: bool
    """For a pointer: the kernel only reads what it points to."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What the parser found of one ``__global__`` function."""

    name: str
    parameters: tuple[Parameter, ...]
    line: int
    """Line of its name, from 1."""
    launch_bounds: int | None = None
    """First number of ``__launch_bounds__``."""
    dynamic_shared: bool = False
    """Whether it uses ``extern __shared__`` memory."""
    template: bool = False
    scope: str = ""
    """Namespace that it stands in, such as ``a::b``."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler, in the user's lines."""

    severity: Severity
    message: Message
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""
    raw: str = ""
    """The compiler's own words, unchanged."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What one thread or block of a compiled kernel uses; ``None`` where only nvcc could tell."""

    registers: int | None = None
    """Registers of a thread."""
    shared_bytes: int = 0
    """Static shared memory of a block, in bytes."""
    local_bytes: int | None = None
    """Local memory of a thread (spills, arrays), in bytes."""
    constant_bytes: int | None = None
    max_threads_per_block: int | None = None
    """The driver's limit for this kernel, below the device's if it needs many registers."""
    spill_bytes: int | None = None
    """Bytes that a thread stores to local memory for want of registers; only ptxas tells."""
