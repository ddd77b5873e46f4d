# SPDX-License-Identifier: MIT
"""A kernel that is loaded on the GPU, and how it is launched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from threadloom.backends.base import Compiled, LaunchError
from threadloom.backends.cuda.memory import DeviceArguments
from threadloom.backends.cuda.stopwatch import Enqueue
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.program import Resources

MOST_UNSIGNED = 2**32 - 1


@dataclass(slots=True, eq=False)
class LoadedKernel:
    """What `CudaBackend.compile` hands through `Compiled.handle`."""

    module: Any
    """Kept alive as long as the function."""
    function: Any
    """PyCUDA's ``Function``."""
    first_launch_s: float | None = None
    """Wall-clock time of its first launch, which loads the code; None before it."""


def resources_of(function: Any) -> Resources:
    """What the driver says that a PyCUDA ``Function`` uses."""
    return Resources(
        registers=int(function.num_regs),
        shared_bytes=int(function.shared_size_bytes),
        local_bytes=int(function.local_size_bytes),
        constant_bytes=int(function.const_size_bytes),
        max_threads_per_block=int(function.max_threads_per_block),
    )


def launcher(cuda: Any, compiled: Compiled, launch: Launch, memory: DeviceArguments) -> Enqueue:
    """A function that queues the launch on a stream; None is the default stream."""
    return enqueuer(cuda, loaded(compiled).function, compiled.resources, launch, memory)


def enqueuer(
    cuda: Any, function: Any, resources: Resources, launch: Launch, memory: DeviceArguments
) -> Enqueue:
    """Like `launcher`, for a PyCUDA ``Function`` that uses these resources.

    Raises:
        LaunchError: If the driver could not even be told of such a launch.
    """
    if not all(0 <= extent <= MOST_UNSIGNED for extent in (*launch.grid, *launch.block)):
        text = _("The driver cannot take a launch of {grid} blocks of {block} threads.")
        raise LaunchError(text.format(grid=launch.grid, block=launch.block))
    _allow_shared(cuda, function, resources.shared_bytes, launch.shared_bytes)
    function.prepare(memory.formats)
    packed, grid, block = memory.packed, tuple(launch.grid), tuple(launch.block)

    def enqueue(stream: Any) -> None:
        function.prepared_async_call(grid, block, stream, *packed, shared_size=launch.shared_bytes)

    return enqueue


def _allow_shared(cuda: Any, function: Any, static: int, dynamic: int) -> None:
    """Ask for more than the usual 48 KiB of shared memory, which the driver wants to be told."""
    if dynamic and static + dynamic > 48 * 1024:
        attribute = cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
        function.set_attribute(attribute, dynamic)


def loaded(compiled: Compiled) -> LoadedKernel:
    """What this engine made of it.

    Raises:
        TypeError: If another engine compiled it.
    """
    if not isinstance(compiled.handle, LoadedKernel):
        raise TypeError(f"{compiled.program.entry} was compiled by another engine")
    return compiled.handle


def note_first(compiled: Compiled, seconds: float) -> float:
    """Seconds of the kernel's very first launch, which is this one if there was none before."""
    kernel = loaded(compiled)
    if kernel.first_launch_s is None:
        kernel.first_launch_s = seconds
    return kernel.first_launch_s
