# SPDX-License-Identifier: MIT
"""What one thread read and wrote, and how its warp moved, out of a block's trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from threadloom.model.launch import WARP_SIZE, ThreadId
from threadloom.model.trace import AccessKind, BlockTrace, Space
from threadloom.presentation.inspector.thread_details import lanes_of_warp
from threadloom.presentation.mapping.elements import element_name, indexed, value_text
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.text import _, count, ngettext

FIRST = 5
LAST = 3


@dataclass(frozen=True, slots=True)
class AccessRow:
    """One access of a thread."""

    verb: str
    element: str
    address: str
    value: str
    writes: bool
    line: int


@dataclass(frozen=True, slots=True)
class Accesses:
    """Accesses of one thread; of many, the first and last."""

    rows: tuple[AccessRow, ...]
    left_out: int
    """Accesses between ``FIRST`` rows and the others."""
    total: int


def accesses_of(model: MappingModel, trace: BlockTrace, thread: ThreadId) -> Accesses:
    """What a thread read and wrote, in its own order."""
    number = model.launch.block.linear(thread.thread)
    mine = np.flatnonzero(trace.thread == number)
    mine = mine[np.argsort(trace.step[mine], kind="stable")]
    left_out = max(0, len(mine) - FIRST - LAST)
    shown = mine if not left_out else np.concatenate([mine[:FIRST], mine[-LAST:]])
    rows = tuple(_row(model, trace, int(row)) for row in shown)
    return Accesses(rows, left_out, len(mine))


def _row(model: MappingModel, trace: BlockTrace, row: int) -> AccessRow:
    site = model.sites[int(trace.site[row])]
    place = int(trace.array[row])
    array = trace.arrays[place] if 0 <= place < len(trace.arrays) else site.array or "?"
    value = float(trace.value[row])
    return AccessRow(
        verb=_verb(site.kind, site.space),
        element=indexed(array, _shape(model, array), int(trace.element[row])),
        address=short_address(int(trace.address[row])),
        value="" if np.isnan(value) else value_text(value),
        writes=site.kind is not AccessKind.READ,
        line=site.line,
    )


def _verb(kind: AccessKind, space: Space) -> str:
    if kind is AccessKind.READ:
        return _("read") if space is Space.GLOBAL else _("load")
    if kind is AccessKind.WRITE:
        return _("write") if space is Space.GLOBAL else _("keep")
    return _("atomic")


def _shape(model: MappingModel, array: str) -> tuple[int, ...]:
    if array == model.array:
        return model.shape
    return model.shapes.get(array, ())


def short_address(address: int) -> str:
    """The last five hexadecimal digits of an address: ``…00894``."""
    return f"…{address & 0xFFFFF:05x}"


@dataclass(frozen=True, slots=True, eq=False)
class Lockstep:
    """How the lanes of a warp moved together."""

    active: npt.NDArray[np.bool_]
    """Lanes that made the thread's last access, of 32."""
    lanes: int
    """Lanes that the warp has."""
    diverged: int
    """Accesses of the warp that only some of its lanes made."""
    line: int

    @property
    def words(self) -> str:
        """The state as a sentence."""
        said = _("{n} of {lanes} lanes active").format(n=int(self.active.sum()), lanes=WARP_SIZE)
        if self.diverged:
            more = ngettext("{n} divergent line", "{n} divergent lines", self.diverged)
            return f"{said}, {more.format(n=count(self.diverged))}"
        if self.lanes < WARP_SIZE:
            return _("{said}; partial warp at the end of the block").format(said=said)
        return _("{said}, no divergence").format(said=said)


def lockstep_of(model: MappingModel, trace: BlockTrace | None, thread: ThreadId) -> Lockstep:
    """Which lanes of the thread's warp were active; without a trace those that the warp has."""
    lanes = lanes_of_warp(model, thread)
    exist = np.arange(WARP_SIZE) < lanes
    if trace is None:
        return Lockstep(exist, lanes, 0, 0)
    warp, _lane = thread.warp_and_lane(model.launch)
    mine = np.flatnonzero(trace.thread // WARP_SIZE == warp)
    counts = {
        int(site): int(np.unique(trace.thread[mine[trace.site[mine] == site]]).size)
        for site in np.unique(trace.site[mine])
    }
    lines = {model.sites[site].line for site, lane in counts.items() if lane < lanes}
    own = mine[trace.thread[mine] == model.launch.block.linear(thread.thread)]
    if not own.size:
        return Lockstep(np.zeros(WARP_SIZE, dtype=np.bool_), lanes, len(lines), 0)
    site = int(trace.site[own[np.argmax(trace.step[own])]])
    active = np.zeros(WARP_SIZE, dtype=np.bool_)
    active[trace.thread[mine[trace.site[mine] == site]] % WARP_SIZE] = True
    return Lockstep(active, lanes, len(lines), model.sites[site].line)


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A lane beside the selected one, and the element that it wrote."""

    lane: int
    element: int | None


def neighbors(model: MappingModel, thread: ThreadId) -> list[Neighbor]:
    """The lanes before and after, within the warp."""
    warp, lane = thread.warp_and_lane(model.launch)
    found = []
    for beside in (lane - 1, lane + 1):
        if 0 <= beside < lanes_of_warp(model, thread):
            at = model.launch.block.at(warp * WARP_SIZE + beside)
            element = model.element_of_thread(ThreadId(thread.block, at))
            found.append(Neighbor(beside, element))
    return found


def spacing_words(model: MappingModel, element: int | None, beside: list[Neighbor]) -> str:
    """How far apart the elements of neighboring lanes lie, and what that means."""
    others = [one.element for one in beside if one.element is not None]
    if element is None or not others:
        return ""
    gaps = {abs(other - element) for other in others}
    if gaps == {1}:
        return _("Adjacent in memory: coalesced accesses of a warp.")
    apart = max(gaps)
    return ngettext(
        "Stride of {n} element.",
        "Stride of {n} elements: each lane needs a separate sector.",
        apart,
    ).format(n=count(apart))


def neighbor_words(model: MappingModel, neighbor: Neighbor) -> str:
    """What a neighbor wrote."""
    if neighbor.element is None:
        return _("nothing")
    return element_name(model, neighbor.element)
