# SPDX-License-Identifier: MIT
"""What the mapping draws: one launch, with all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property

import numpy as np
import numpy.typing as npt

from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Verdict
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.run import Run
from threadloom.model.timeline import BlockTimeline
from threadloom.model.trace import BlockTrace, Coverage, Site, Violation, ViolationKind
from threadloom.presentation.mapping.access_times import Shares, shares_by_order

Times = npt.NDArray[np.float32]
"""Seconds from the launch's start; infinite for what does not happen."""


BLOCKS_KEPT = 8
"""Blocks whose elements are remembered: following threads of one block looks them up once."""


class Phase(Enum):
    """How far a launch has come."""

    PLANNED = auto()
    """Nothing ran yet."""
    RAN = auto()
    REFUSED = auto()
    """No thread ran."""


@dataclass(frozen=True, eq=False)
class MappingModel:
    """One launch, the array that the picture follows, and what an observed run saw."""

    launch: Launch
    phase: Phase
    array: str = ""
    """Name of the array that is selected; empty if it is not known."""
    shape: tuple[int, ...] = ()
    """Its extents."""
    dtype: str = ""
    device: DeviceModel | None = None
    timeline: BlockTimeline | None = None
    coverage: Coverage | None = None
    values: Array | None = None
    """The array after the run."""
    matches: bool | None = None
    """Whether it agrees with NumPy; None if that is not known."""
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Extents of the arrays that the kernel reads."""
    sites: tuple[Site, ...] = ()
    block_trace: BlockTrace | None = None
    beyond: tuple[Violation, ...] = ()
    """Accesses outside the selected array."""
    source: str = ""
    entry: str = ""
    """Name of the kernel in the source."""
    invalid_launch: Finding | None = None
    product: tuple[str, str] | None = None
    """Names of A and B if the array is their matrix product."""

    @property
    def elements(self) -> int:
        """Number of elements of the array."""
        return int(np.prod(self.shape, dtype=np.int64)) if self.shape else 0

    @property
    def duration_s(self) -> float:
        """Time of the whole launch, 0 if it is not known."""
        return self.timeline.duration_s if self.timeline else 0.0

    @cached_property
    def _shares(self) -> Shares:
        """Share of a block's time by the order of a last write; evenly spread if not known."""
        if self.coverage is None or not self.coverage.order.size:
            return np.ones(1, dtype=np.float32)
        if self.block_trace is not None and self.block_trace.step.size:
            learnt = shares_by_order(self.block_trace, self.coverage, self.launch)
            if learnt is not None:
                return learnt
        orders = int(self.coverage.order.max()) + 1
        return np.arange(1, orders + 1, dtype=np.float32) / np.float32(orders + 1)

    @cached_property
    def flat_values(self) -> Array | None:
        """The array after the run, one axis."""
        return None if self.values is None else self.values.reshape(-1)

    @cached_property
    def never(self) -> npt.NDArray[np.bool_]:
        """Elements that no thread wrote; empty while that is not known."""
        if self.coverage is None:
            return np.zeros(0, dtype=np.bool_)
        return np.asarray(self.coverage.writes == 0)

    @cached_property
    def some_never(self) -> bool:
        """Whether there is an element that no thread wrote."""
        return bool(self.never.any())

    @cached_property
    def multiple_writers(self) -> npt.NDArray[np.bool_]:
        """Elements that two or more threads stored to; empty while that is not known."""
        if self.coverage is None:
            return np.zeros(0, dtype=np.bool_)
        return np.asarray(self.coverage.multi_writer_mask)

    @cached_property
    def some_multiple_writers(self) -> bool:
        """Whether there is an element that two or more threads stored to."""
        return bool(self.multiple_writers.any())

    def block_of(self, elements: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Number of the block that wrote each element last; -1 for none."""
        if self.coverage is None:
            return np.full(elements.shape, -1, dtype=np.int64)
        owner = self.coverage.owner[elements]
        blocks: npt.NDArray[np.int64] = owner // self.launch.threads_per_block
        return blocks

    def block_times(self, blocks: npt.NDArray[np.int64]) -> tuple[Times, Times]:
        """When blocks start and end; infinite without a timeline and for block -1."""
        if self.phase is not Phase.RAN or self.timeline is None or not self.timeline.start_s.size:
            never = np.full(blocks.shape, np.inf, dtype=np.float32)
            return never, never.copy()
        at = self.timeline_index(blocks)
        start = self.timeline.start_s[at].astype(np.float32)
        end = self.timeline.end_s[at].astype(np.float32)
        start[blocks < 0] = np.inf
        end[blocks < 0] = np.inf
        return start, end

    def timeline_index(self, blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Place of each block in the timeline's arrays."""
        if self.timeline is None:
            return np.zeros_like(blocks)
        last = self.timeline.start_s.size - 1
        return np.clip(blocks // self.timeline.stride, 0, last)

    def written_at(self, elements: npt.NDArray[np.int64]) -> Times:
        """When each element got its last value, by its order among its block's writes."""
        blocks = self.block_of(elements)
        start, end = self.block_times(blocks)
        if self.coverage is None:
            return start
        share = self._shares[self.coverage.order[elements]]
        with np.errstate(invalid="ignore"):
            times: Times = np.where(np.isinf(start), start, start + (end - start) * share)
        return times

    @cached_property
    def _sorted_times(self) -> Times:
        step = max(1, self.elements // 65_536)
        return np.sort(self.written_at(np.arange(0, self.elements, step, dtype=np.int64)))

    @cached_property
    def _sorted_ends(self) -> npt.NDArray[np.float64]:
        ends = self.timeline.end_s if self.timeline else np.zeros(0)
        return np.sort(ends)

    def share_written(self, time_s: float) -> float:
        """Share of the elements that are written at a time, from up to 131,072 of them."""
        if not self.elements:
            return 0.0
        return float(np.searchsorted(self._sorted_times, time_s, "right") / len(self._sorted_times))

    def blocks_done(self, time_s: float) -> int:
        """Blocks that have ended at a time."""
        if self.timeline is None:
            return 0
        done = int(np.searchsorted(self._sorted_ends, time_s, "right")) * self.timeline.stride
        return min(done, self.launch.blocks)

    def elements_of_block(self, block: int) -> npt.NDArray[np.int64]:
        """Elements that a block wrote last, ascending."""
        if self.coverage is None:
            return np.zeros(0, dtype=np.int64)
        if block not in self._looked_up:
            if len(self._looked_up) >= BLOCKS_KEPT:
                self._looked_up.clear()
            first = block * self.launch.threads_per_block
            owner = self.coverage.owner
            inside = (owner >= first) & (owner < first + self.launch.threads_per_block)
            self._looked_up[block] = np.flatnonzero(inside)
        return self._looked_up[block]

    @cached_property
    def _looked_up(self) -> dict[int, npt.NDArray[np.int64]]:
        return {}

    def element_of_thread(self, thread: ThreadId) -> int | None:
        """First element that a thread wrote last."""
        if self.coverage is None:
            return None
        elements = self.elements_of_block(self.launch.grid.linear(thread.block))
        own = self.coverage.owner[elements] == thread.global_index(self.launch)
        found = elements[own]
        return int(found[0]) if found.size else None

    def thread_of_element(self, element: int) -> ThreadId | None:
        """The thread that wrote an element last."""
        if self.coverage is None or not 0 <= element < self.elements:
            return None
        owner = int(self.coverage.owner[element])
        return None if owner < 0 else ThreadId.of_global(self.launch, owner)

    def holds(self, thread: ThreadId) -> bool:
        """Whether a thread belongs to the launch."""
        pairs = ((thread.block, self.launch.grid), (thread.thread, self.launch.block))
        return all(0 <= at.x < of.x and 0 <= at.y < of.y and 0 <= at.z < of.z for at, of in pairs)

    def trace_of(self, block: Dim3) -> BlockTrace | None:
        """Every access of a block, if it was kept."""
        kept = self.block_trace
        return kept if kept is not None and kept.block == block else None


def of_result(result: Run, array: str, product: tuple[str, str] | None = None) -> MappingModel:
    """What a run's result shows; ``array`` is the one to follow."""
    trace = result.trace
    coverage = trace.coverage.get(array) if trace else None
    values = result.outputs.get(array)
    stopping = [finding for finding in result.findings if finding.verdict == Verdict.LAUNCH_ERROR]
    shape = coverage.shape if coverage else values.shape if values is not None else ()
    refused = not result.launched and bool(stopping)
    return MappingModel(
        launch=result.launch,
        phase=Phase.REFUSED if refused else Phase.RAN if result.launched else Phase.PLANNED,
        array=array,
        shape=tuple(shape) or _shape_among_inputs(result),
        dtype=result.job.dtype if values is None else str(values.dtype),
        device=result.device,
        timeline=None if refused else result.timeline,
        coverage=None if refused else coverage,
        values=values,
        matches=result.matches,
        shapes={name: value.shape for name, value in result.inputs.items()},
        sites=trace.sites if trace else (),
        block_trace=trace.block if trace else None,
        beyond=_beyond(result, array),
        source=result.source,
        entry=result.signature.name if result.signature else "",
        invalid_launch=stopping[0] if refused else None,
        product=product,
    )


def _beyond(result: Run, array: str) -> tuple[Violation, ...]:
    found = result.trace.violations if result.trace else ()
    out_of_bounds = ViolationKind.OUT_OF_BOUNDS
    return tuple(one for one in found if one.kind is out_of_bounds and one.array == array)


def _shape_among_inputs(result: Run) -> tuple[int, ...]:
    return next((value.shape for value in result.inputs.values()), ())
