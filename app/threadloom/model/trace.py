# SPDX-License-Identifier: MIT
"""What an observed run saw: who touched what, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.message import NOTHING, Message


class Space(StrEnum):
    """Memory space of an access."""

    GLOBAL = "global"
    SHARED = "shared"


class AccessKind(StrEnum):
    """What an access does."""

    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"


@dataclass(frozen=True, eq=False)
class Coverage:
    """Who wrote each element of one array. All arrays are flat, in C order of the elements.

    It has no slots, so that counts are taken once: views ask for them in every frame.
    """

    array: str
    shape: tuple[int, ...]
    owner: Array
    """int64, global thread number of the last thread that wrote the element, -1 for none."""
    writes: Array
    """uint32, how many times it was written."""
    order: Array
    """uint32, position of the last write among all writes of the owner's block, from 0."""
    multi_writer_mask: Array
    """bool, whether two or more different threads stored to it without an atomic."""

    @property
    def elements(self) -> int:
        """Number of elements."""
        return int(self.owner.size)

    @cached_property
    def uncovered(self) -> int:
        """Elements that no thread wrote."""
        return int((self.writes == 0).sum())

    @property
    def written(self) -> int:
        """Elements that were written."""
        return self.elements - self.uncovered

    @cached_property
    def multi_writer(self) -> int:
        """Elements that two or more threads stored to without an atomic."""
        return int(self.multi_writer_mask.sum())


@dataclass(frozen=True, slots=True)
class Atomics:
    """How the atomics of one place in the source fall on addresses.

    An address is an element of an array, or one of a shared variable in one block: that is what
    atomics wait for each other at.
    """

    meeting: int = 0
    """Atomics that changed an address which another lane of their request changed, too."""
    addresses: int | None = None
    """Different addresses; None if there was no room to count."""
    most: int | None = None
    """Atomics on the address that had the most; None if there was no room to count."""
    array: str = ""
    """Where that address is."""
    index: int = 0
    """Element of the array."""
    block: int | None = None
    """Linear number of the block, for shared memory."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place in the source that reads or writes memory, with counters as a profiler has them."""

    line: int
    column: int | None
    kind: AccessKind
    space: Space
    array: str
    """Parameter or shared variable; empty if several are meant."""
    requests: int = 0
    """Warp-wide accesses."""
    sectors: int = 0
    """32-byte sectors moved, for global memory."""
    ideal_sectors: int = 0
    """Sectors if the same bytes lay side by side."""
    bank_conflicts: int = 0
    """Extra passes of shared memory."""
    active_lanes: int = 0
    """Lanes that took part, summed over the requests."""
    requested_bytes: int = 0
    """Bytes that the lanes asked for, each time anew."""
    distinct_bytes: int | None = None
    """Different bytes of the arrays among them; None for shared memory, and where there was no room
    to count."""
    atomics: Atomics | None = None
    """For atomics only."""

    @property
    def reuse(self) -> float | None:
        """How often each byte was asked for on average; None where it is not known."""
        return self.requested_bytes / self.distinct_bytes if self.distinct_bytes else None


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch in the source whose condition may differ between the lanes of a warp.

    What the compiler turns into a choice of values is no branch. Copies that it makes of one, as
    the test before a loop and the one in it, count together.
    """

    line: int
    column: int | None
    executed: int
    """How often a warp came to it, with all of its lanes or some."""
    diverged: int
    """How often lanes of the warp then took different ways."""

    @property
    def efficiency(self) -> float:
        """Share of the times that all took one way, as a profiler's branch efficiency."""
        return 1 - self.diverged / self.executed if self.executed else 1.0


class ViolationKind(StrEnum):
    """Kinds of fault that an observed run detects."""

    OUT_OF_BOUNDS = "out-of-bounds"
    UNINITIALIZED = "uninitialized-read"
    MISALIGNED = "misaligned"
    BARRIER_DIVERGENCE = "barrier-divergence"
    WARP_DIVERGENCE = "warp-divergence"
    """Lanes of a warp wait for others that do not come."""
    LEFT_OUT = "left-out"
    """A lane calls a function of its warp with a mask that does not name it."""
    ABSENT_LANE = "inactive-lane"
    """A shuffle gets what is not defined, and it shows in the outputs."""
    ASSERT = "assert"
    TRAP = "trap"
    """The kernel stopped itself, as ``__trap`` does."""
    STACK_OVERFLOW = "stack-overflow"
    DIVISION = "division"
    """An integer division without a result."""
    ENDLESS = "endless"
    """The launch took too long; the thread is the first one that spins."""
    TOO_LONG = "too-long"
    """The launch took too long, but its threads got on; the thread means nothing."""


@dataclass(frozen=True, slots=True)
class Violation:
    """First fault of its kind at one site, with the number of threads and accesses alike."""

    kind: ViolationKind
    thread: ThreadId
    line: int
    access: AccessKind
    space: Space
    array: str
    index: int
    """Element index; negative before the array's start. The address, where no array is near."""
    count: int
    """Accesses at this site with the same fault."""
    threads: int = 1
    """Different threads among them."""
    detail: Message = NOTHING


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads that touch the same element without waiting for each other."""

    space: Space
    array: str
    index: int
    line: int
    other_line: int
    threads: tuple[ThreadId, ThreadId]
    count: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class BlockTrace:
    """Every access of one block, one row an access, sorted by step. All arrays have one length."""

    block: Dim3
    thread: Array
    """int32, number of the thread in its block."""
    step: Array
    """int32, position of the access among those of its own thread, from 0."""
    site: Array
    """int32, index into the trace's sites."""
    element: Array
    """int64, element index in the site's array (may lie outside it)."""
    address: Array
    """uint64, byte address: arrays start at multiples of 256, in parameter order."""
    size: Array
    """uint8, bytes."""
    value: Array
    """float64, value read or written; NaN if unknown."""
    array: Array
    """int32, index into ``arrays``; -1 for none."""
    arrays: tuple[str, ...] = ()
    """Parameters, ``__device__`` and ``__constant__`` variables, then shared ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Result of an observed run."""

    coverage: Mapping[str, Coverage]
    """By array; arrays that the kernel may write."""
    sites: tuple[Site, ...] = ()
    accesses: int = 0
    distinct_bytes: Mapping[str, int | None] = field(default_factory=dict)
    """By array: different bytes that the launch touched; None where there was no room to count."""
    oob_threads: int = 0
    oob_reads: int = 0
    oob_writes: int = 0
    uninitialized_reads: int = 0
    unchecked: int = 0
    """Accesses whose races were not looked for: a block touched too many elements."""
    barrier_divergence: int = 0
    """Threads that never reached a barrier where others of their block waited, and lanes that
    waited for others of their warp in vain."""
    branches: tuple[Branch, ...] = ()
    """By line and column."""
    races: tuple[Race, ...] = ()
    violations: tuple[Violation, ...] = ()
    block: BlockTrace | None = None
    elapsed_s: float = 0.0
    printed: tuple[str, ...] = field(default=())
    """What device ``printf`` wrote, a line each."""

    @property
    def endless(self) -> bool:
        """Whether the launch was stopped because it took too long; the rest is then of a part."""
        stopped = {ViolationKind.ENDLESS, ViolationKind.TOO_LONG}
        return any(violation.kind in stopped for violation in self.violations)
