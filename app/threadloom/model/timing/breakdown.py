# SPDX-License-Identifier: MIT
"""The whole way of a problem through a GPU: each step timed by itself."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.timing.samples import Samples


@dataclass(frozen=True, slots=True)
class PinnedBreakdown:
    """Copies through page-locked memory, which the GPU reads and writes without the host's help."""

    pin_s: float
    """Reserving and filling that memory, once, in seconds."""
    h2d: Samples
    d2h: Samples
    in_turn: Samples
    """Copies and kernel of one problem, when problems follow each other on one stream."""
    overlapped: Samples
    """The same on as many streams as `streams`, so that copies and kernels run side by side."""
    streams: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What it takes from arrays in the host's memory to results in the host's memory."""

    bytes_in: int
    """Bytes of the arrays that the kernel reads, copied to the device."""
    bytes_out: int
    """Bytes of the arrays that it writes, copied back."""
    compile_s: float
    """Compiling, or finding in the cache."""
    from_cache: bool
    first_launch_s: float
    """Wall-clock time of the kernel's first launch, which loads its code."""
    allocate: Samples
    """Reserving and freeing the device's memory for all arrays."""
    h2d_pageable: Samples
    """Copies to the device from ordinary memory."""
    kernel: Samples
    d2h_pageable: Samples
    """Copies back into ordinary memory."""
    pinned: PinnedBreakdown | None = None
    """None where there is no room for page-locked memory."""
