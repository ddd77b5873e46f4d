# SPDX-License-Identifier: MIT
"""One launch: checks it, fills its request and runs it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from threadloom.backends.base import Compiled, LaunchError
from threadloom.backends.emulator.compile.binary import Binary
from threadloom.backends.emulator.compile.kernel import Kernel
from threadloom.backends.emulator.runtime.abi import ArrayArgument, Request, Status
from threadloom.backends.emulator.runtime.arguments import Packed, pack
from threadloom.backends.emulator.runtime.device_globals import with_device_globals
from threadloom.backends.emulator.runtime.loader import Loader
from threadloom.model.array import Array, Value, Values
from threadloom.model.launch import Launch
from threadloom.model.message import _, count

MAX_BLOCK_THREADS = 1024
"""Threads of a block that the engine has room for, as on every GPU so far."""
MAX_AXIS = 2**32 - 1
MAX_ARRAYS = 64
_CONCURRENT = 64
"""Blocks that run at the same time, whatever the cores, if they may wait for each other."""
MAX_COOPERATIVE_BLOCKS = 64
"""``TL_WORKERS`` of ``engine/runtime/memory.h``: each block has a worker of its own."""
MAX_COOPERATIVE_THREADS = 16 * 1024
"""Each has a stack that is a mapping of its own, and a process may have only so many."""
MAX_DYNAMIC_SHARED = 8 * 1024 * 1024


@dataclass(slots=True)
class Call:
    """One launch: the request and what must live as long as it."""

    kernel: Kernel
    library: Path
    binary: Binary
    launch: Launch
    packed: Packed
    request: Request
    arrays: ctypes.Array[ArrayArgument]
    buffer: ctypes.Array[ctypes.c_char]
    outputs: dict[str, Array]
    run_at: int = 0

    def location(self, address: int) -> tuple[int, int]:
        """Line and column for an address in the code, or for a site by its number; 0 if unknown."""
        if address < len(self.binary.flow.sites):
            site = self.binary.flow.sites[address]
            return site.line, site.column
        return self.binary.lines.location(address - self.run_at + self.binary.run_address) or (0, 0)

    def line(self, address: int) -> int | None:
        """The user's line alone; None if unknown."""
        return self.location(address)[0] or None


def prepare_call(
    compiled: Compiled,
    launch: Launch,
    arguments: Values,
    cores: int,
    library: Path,
    binary: Binary,
    written: frozenset[str] = frozenset(),
) -> Call:
    """Check the limits of the engine, and fill the request.

    Arrays in ``written`` are written whatever their parameters promise.

    Raises:
        LaunchError: If the launch is outside the engine's own limits.
    """
    kernel = compiled.handle
    if not isinstance(kernel, Kernel):
        raise TypeError("the kernel was compiled by another engine")
    _check(launch)
    if kernel.cooperative:
        _check_cooperative(kernel.entry, launch)
    packed = with_device_globals(pack(compiled.signature, arguments), kernel.parsed, binary)
    packed = replace(packed, writable={**packed.writable, **dict.fromkeys(written, True)})
    arrays, outputs = _lay_out(packed, binary, arguments)
    buffer = ctypes.create_string_buffer(bytes(packed.bytes), len(packed.bytes))
    request = Request(
        grid=tuple(launch.grid),
        block=tuple(launch.block),
        static_shared=binary.shared_bytes,
        dynamic_shared=launch.shared_bytes,
        array_count=len(packed.arrays),
        fibers=kernel.fibers,
        workers=max(cores, _CONCURRENT) if kernel.uses_fences else cores,
        cores=cores,
        uses_fences=int(kernel.uses_fences),
        arrays=arrays,
        arguments=ctypes.addressof(buffer),
        argument_bytes=len(packed.bytes),
        logged_block=-1,
        cooperative=kernel.cooperative,
    )
    return Call(kernel, library, binary, launch, packed, request, arrays, buffer, outputs)


def _lay_out(
    packed: Packed, binary: Binary, arguments: Values
) -> tuple[ctypes.Array[ArrayArgument], dict[str, Array]]:
    """The arrays for the engine, and those that it fills."""
    if len(packed.arrays) > MAX_ARRAYS:
        raise LaunchError(_("The emulator takes at most {most} arrays.").format(most=MAX_ARRAYS))
    arrays = (ArrayArgument * max(len(packed.arrays), 1))()
    outputs = {}
    for argument, (name, array) in zip(arrays, packed.arrays.items(), strict=False):
        argument.input = array.ctypes.data
        argument.bytes = array.nbytes
        argument.item = array.itemsize
        if name in packed.slots:
            argument.slot = packed.slots[name] - binary.run_address
            argument.constant = int(name in packed.constants)
            continue
        argument.argument = packed.positions[name]
        if packed.writable[name]:
            outputs[name] = empty_twin(arguments[name])
            argument.output = outputs[name].ctypes.data
    return arrays, outputs


def empty_twin(given: Value) -> Array:
    """An array of the same shape, type and order, for the results."""
    array = np.asarray(given)
    contiguous = array.flags.c_contiguous or array.flags.f_contiguous
    return np.empty_like(array, order="K" if contiguous else "C")


def _check(launch: Launch) -> None:
    axes = (*launch.grid, *launch.block)
    if min(axes) < 1 or max(axes) > MAX_AXIS:
        raise LaunchError(
            _("Grid {grid} and block {block}: each axis must be at least 1.").format(
                grid=launch.grid, block=launch.block
            )
        )
    if launch.threads_per_block > MAX_BLOCK_THREADS:
        raise LaunchError(
            _("Block has {threads} threads; the maximum is {most}.").format(
                threads=count(launch.threads_per_block), most=count(MAX_BLOCK_THREADS)
            )
        )
    if not 0 <= launch.shared_bytes <= MAX_DYNAMIC_SHARED:
        raise LaunchError(
            _("{bytes} bytes of dynamic shared memory are out of range.").format(
                bytes=count(launch.shared_bytes)
            )
        )


def _check_cooperative(name: str, launch: Launch) -> None:
    """Reject a launch of which the engine cannot run all blocks at once.

    Raises:
        LaunchError: With what there is room for.
    """
    blocks = launch.grid.count
    threads = blocks * launch.threads_per_block
    if blocks > MAX_COOPERATIVE_BLOCKS or threads > MAX_COOPERATIVE_THREADS:
        message = _(
            "Cooperative launch: all blocks of {name} must run at once (grid.sync()). The emulator "
            "has room for {most_blocks} blocks with {most_threads} threads in all; this launch has "
            "{blocks} with {threads}."
        )
        raise LaunchError(
            message.format(
                name=name,
                most_blocks=count(MAX_COOPERATIVE_BLOCKS),
                most_threads=count(MAX_COOPERATIVE_THREADS),
                blocks=count(blocks),
                threads=count(threads),
            )
        )


def execute(loader: Loader, call: Call) -> None:
    """Run the launch to its end.

    Raises:
        LaunchError: If the engine could not find memory for it.
    """
    call.run_at = loader.run(call.library, call.request)
    if call.request.status == Status.NO_MEMORY:
        loader.release(call.library, call.request)
        raise LaunchError(_("There is not enough memory for this launch."))
