# SPDX-License-Identifier: MIT
"""Fills a request, hands it to the library and words what went wrong."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from threadloom.backends.base import Compiled, LaunchError
from threadloom.backends.emulator.arguments import Packed, pack
from threadloom.backends.emulator.binary import Binary
from threadloom.backends.emulator.file_scope import with_variables
from threadloom.backends.emulator.interface import ArrayArgument, FaultKind, Request, Status
from threadloom.backends.emulator.kernel import Kernel, Loader
from threadloom.backends.emulator.together import check_together
from threadloom.model.array import Array, Value, Values
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.message import Message, _, count

MAX_BLOCK_THREADS = 1024
"""Threads of a block that the engine has room for, as on every GPU so far."""
MAX_AXIS = 2**32 - 1
MAX_ARRAYS = 64
_TOGETHER = 64
"""Blocks that run at the same time, whatever the cores, if they may wait for each other."""
MAX_DYNAMIC_SHARED = 8 * 1024 * 1024


@dataclass(slots=True)
class Call:
    """One launch on its way: the request and what must live as long as it."""

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

    def place(self, address: int) -> tuple[int, int]:
        """Line and column for an address in the code, or for a site by its number; 0 if unknown."""
        if address < len(self.binary.flow.sites):
            site = self.binary.flow.sites[address]
            return site.line, site.column
        return self.binary.lines.place(address - self.run_at + self.binary.run_address) or (0, 0)

    def line(self, address: int) -> int | None:
        """The user's line alone; None if unknown."""
        return self.place(address)[0] or None


def prepare_call(
    compiled: Compiled,
    launch: Launch,
    arguments: Values,
    cores: int,
    library: Path,
    binary: Binary,
    written: frozenset[str] = frozenset(),
) -> Call:
    """Check what the engine could not bear, and lay everything out.

    Arrays in ``written`` are written whatever their parameters promise.

    Raises:
        LaunchError: If the launch is outside the engine's own limits.
    """
    kernel = compiled.handle
    if not isinstance(kernel, Kernel):
        raise TypeError("the kernel was compiled by another engine")
    _check(launch)
    if kernel.together:
        check_together(kernel.entry, launch)
    packed = with_variables(pack(compiled.signature, arguments), kernel.parsed, binary)
    packed = replace(packed, writable={**packed.writable, **dict.fromkeys(written, True)})
    if len(packed.arrays) > MAX_ARRAYS:
        raise LaunchError(_("The emulator takes at most {most} arrays.").format(most=MAX_ARRAYS))
    arrays = (ArrayArgument * max(len(packed.arrays), 1))()
    outputs = {}
    for place, (name, array) in zip(arrays, packed.arrays.items(), strict=False):
        place.input = array.ctypes.data
        place.bytes = array.nbytes
        place.item = array.itemsize
        if name in packed.slots:
            place.slot = packed.slots[name] - binary.run_address
            place.constant = int(name in packed.constants)
            continue
        place.argument = packed.positions[name]
        if packed.writable[name]:
            outputs[name] = empty_twin(arguments[name])
            place.output = outputs[name].ctypes.data
    buffer = ctypes.create_string_buffer(bytes(packed.bytes), len(packed.bytes))
    request = Request(
        grid=tuple(launch.grid),
        block=tuple(launch.block),
        static_shared=binary.shared_bytes,
        dynamic_shared=launch.shared_bytes,
        array_count=len(packed.arrays),
        fibres=kernel.fibres,
        workers=max(cores, _TOGETHER) if kernel.ordered else cores,
        ordered=int(kernel.ordered),
        arrays=arrays,
        arguments=ctypes.addressof(buffer),
        argument_bytes=len(packed.bytes),
        kept_block=-1,
        together=kernel.together,
    )
    return Call(kernel, library, binary, launch, packed, request, arrays, buffer, outputs)


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
            _("Block has {threads} threads; at most {most} are possible.").format(
                threads=count(launch.threads_per_block), most=count(MAX_BLOCK_THREADS)
            )
        )
    if not 0 <= launch.shared_bytes <= MAX_DYNAMIC_SHARED:
        raise LaunchError(
            _("{bytes} bytes of dynamic shared memory are not possible.").format(
                bytes=count(launch.shared_bytes)
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


def printed_lines(call: Call) -> tuple[str, ...]:
    """What device code printed, by thread, each line with the thread that wrote it."""
    request = call.request
    raw = ctypes.string_at(request.printed, request.printed_bytes) if request.printed else b""
    records: list[tuple[int, str]] = []
    at = 0
    while at < len(raw):
        thread = int.from_bytes(raw[at : at + 8], "little")
        length = int.from_bytes(raw[at + 8 : at + 12], "little")
        records.append((thread, raw[at + 12 : at + 12 + length].decode(errors="replace")))
        at += 12 + length
    texts: dict[int, str] = {}
    for thread, text in records:
        texts[thread] = texts.get(thread, "") + text
    lines = []
    for thread in sorted(texts):
        who = thread_text(ThreadId.of_global(call.launch, thread))
        lines += [f"{who}: {line}" for line in texts[thread].splitlines()]
    return tuple(lines)


def thread_text(thread: ThreadId) -> Message:
    """A thread for a user."""
    return _("block {block}, thread {thread}").format(block=thread.block, thread=thread.thread)


def failure_text(call: Call) -> Message:
    """What ended a plain launch, where and in which thread."""
    fault = call.request.fault
    kind = FaultKind(fault.kind)
    who = thread_text(ThreadId.of_global(call.launch, fault.thread))
    line = fault.site if kind is FaultKind.ASSERT else call.line(fault.site)
    what = _what(call, kind)
    if line:
        return _("{what} in line {line} ({who}).").format(what=what, line=line, who=who)
    return _("{what} ({who}).").format(what=what, who=who)


def _what(call: Call, kind: FaultKind) -> Message:
    fault = call.request.fault
    if kind is FaultKind.OUT_OF_BOUNDS and fault.array < len(call.packed.arrays):
        name = list(call.packed.arrays)[fault.array]
        size = call.packed.arrays[name].size
        return _("The kernel accessed {name}[{index}]; the array has {size} elements").format(
            name=name, index=count(fault.element), size=count(size)
        )
    texts = {
        FaultKind.OUT_OF_BOUNDS: _("The kernel accessed memory that is no array's"),
        FaultKind.ASSERT: _("Assertion failed: {condition}").format(
            condition=(call.request.message or b"").decode(errors="replace")
        ),
        FaultKind.STACK: _("A thread's stack overflowed"),
        FaultKind.TRAP: _("The kernel stopped itself"),
        FaultKind.DIVISION: _("Integer division by zero"),
    }
    return texts.get(kind, _("The kernel failed"))
