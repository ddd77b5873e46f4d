# SPDX-License-Identifier: MIT
"""Times the whole way: memory, copies through both kinds of host memory, and streams."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from threadloom.backends.cuda.library import Driver
from threadloom.backends.cuda.memory import DeviceArguments
from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.model.array import Array
from threadloom.model.message import _
from threadloom.model.timing.samples import Samples, StoppingCriterion

STREAMS = 3
"""One copies to the device, one computes, one copies back."""
PROBLEMS = 12
"""Problems that follow each other in one sample."""
MOST_PINNED_BYTES = 4 << 30
"""Host memory that is page-locked at most: the system cannot use it for anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class StreamSlot:
    """A stream with a problem's arrays on the device and pinned ones on the host."""

    stream: Any
    memory: DeviceArguments
    launch: Enqueue
    pinned_out: Mapping[str, Array]


class PinnedCopies:
    """Copies through pinned memory. The GPU's context must be current."""

    def __init__(self, cuda: Driver, memory: DeviceArguments) -> None:
        self._cuda = cuda
        begin = time.perf_counter()
        self.inputs = {name: _pinned(cuda, array) for name, array in memory.read.items()}
        self._outputs = {name: _pinned(cuda, array) for name, array in memory.results.items()}
        self.pin_s = time.perf_counter() - begin
        """Seconds for reserving and filling."""

    def slot(self, memory: DeviceArguments, launch: Enqueue, first: bool) -> StreamSlot:
        """A stream of its own; all but the first get memory for their results."""
        outputs = (
            self._outputs
            if first
            else {name: _pinned(self._cuda, array) for name, array in memory.results.items()}
        )
        return StreamSlot(self._cuda.Stream(), memory, launch, outputs)

    def h2d(self, slot: StreamSlot) -> None:
        """Queue the copies to the device."""
        for name, array in self.inputs.items():
            if array.nbytes:
                self._cuda.memcpy_htod_async(slot.memory.places[name], array, slot.stream)

    def d2h(self, slot: StreamSlot) -> None:
        """Queue the copies back."""
        for name, array in slot.pinned_out.items():
            if array.nbytes:
                self._cuda.memcpy_dtoh_async(array, slot.memory.places[name], slot.stream)

    def problems(self, slots: list[StreamSlot]) -> None:
        """Queue problem after problem, assigned to the slots in turn, and wait for all."""
        for number in range(PROBLEMS):
            slot = slots[number % len(slots)]
            self.h2d(slot)
            slot.launch(slot.stream)
            self.d2h(slot)
        for slot in slots:
            slot.stream.synchronize()


def pinned_bytes(memory: DeviceArguments) -> int:
    """Host memory that is page-locked for the whole breakdown."""
    read = sum(array.nbytes for array in memory.read.values())
    return read + STREAMS * sum(array.nbytes for array in memory.results.values())


def time_slots(
    watch: Stopwatch, copies: PinnedCopies, slots: list[StreamSlot], criterion: StoppingCriterion
) -> Samples:
    """Seconds for one problem, when problems follow each other on these slots."""
    text = _("mean of {count} problems by the host's clock")
    return watch.by_host_clock(
        lambda: copies.problems(slots), criterion, text.format(count=PROBLEMS), divide_by=PROBLEMS
    )


def time_queued(
    watch: Stopwatch,
    slot: StreamSlot,
    queue: Callable[[StreamSlot], None],
    criterion: StoppingCriterion,
) -> Samples:
    """Seconds that queued copies take, by events on the slot's stream."""
    return watch.queued(slot.stream, lambda: queue(slot), criterion, _("pinned memory"))


def reserve(cuda: Driver, sizes: list[int]) -> None:
    """Reserve so many bytes on the GPU for each array, and free them."""
    places = [cuda.mem_alloc(max(size, 16)) for size in sizes]
    for place in places:
        place.free()


def _pinned(cuda: Driver, array: Array) -> Array:
    found: Array = cuda.pagelocked_empty(array.shape, array.dtype)
    found[...] = array
    return found
