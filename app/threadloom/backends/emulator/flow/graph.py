# SPDX-License-Identifier: MIT
"""An order of a function's blocks in which loops are contiguous, its loops, and dominators.

Loops, also those that are entered at several places, are the strongly connected parts of the graph
(Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972); those within a
loop are found in the same way without the edges to its head. Sets of blocks are bits of integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Loop:
    """Blocks that may run several times before what follows them."""

    head: int
    """The block that a turn begins with."""
    parent: int
    """Index of the loop around it; -1 for none."""
    blocks: int
    """Its blocks, those of inner loops included."""


@dataclass
class Graph:
    """Blocks by number, the first of them is the entry."""

    following: Sequence[Sequence[int]]
    order: list[int] = field(default_factory=list)
    """Blocks that can be reached: each before those after it, a loop's next to each other."""
    loops: list[Loop] = field(default_factory=list)
    """Outer ones before inner ones."""
    loop_of: dict[int, int] = field(default_factory=dict)
    """The innermost loop around a block; -1 for none."""

    def __post_init__(self) -> None:
        self._arrange((1 << len(self.following)) - 1, 0, -1)

    @cached_property
    def rank(self) -> dict[int, int]:
        """Position of each block in the order."""
        return {block: at for at, block in enumerate(self.order)}

    @cached_property
    def before(self) -> dict[int, list[int]]:
        """Blocks that each block may be reached from."""
        found: dict[int, list[int]] = {block: [] for block in self.order}
        for block in self.order:
            for target in self.following[block]:
                found[target].append(block)
        return found

    @cached_property
    def dominators(self) -> dict[int, int]:
        """Blocks that each block is only reached through, itself included."""
        return _passed(self.order, self.before, 1)

    def afterwards(self, ends: int) -> dict[int, int]:
        """Blocks that each block leads to on every way to one of `ends`, itself included."""
        following = {block: self.following[block] for block in self.order}
        return _passed(self.order[::-1], following, ends)

    def around(self, block: int) -> list[int]:
        """Loops around a block, the innermost first."""
        found, loop = [], self.loop_of[block]
        while loop >= 0:
            found.append(loop)
            loop = self.loops[loop].parent
        return found

    def latches(self, loop: int) -> list[int]:
        """Blocks of a loop that go back to its head."""
        inside = self.loops[loop].blocks
        return [b for b in self.before[self.loops[loop].head] if inside >> b & 1]

    def _arrange(self, nodes: int, head: int, loop: int) -> None:
        """Append the blocks among `nodes` to the order; edges to `head` do not count."""
        for part in _components(self.following, nodes, head):
            first = part[0]
            if len(part) > 1 or (first != head and first in self.following[first]):
                inside = sum(1 << block for block in part)
                self.loops.append(Loop(first, loop, inside))
                self._arrange(inside, first, len(self.loops) - 1)
            else:
                self.order.append(first)
                self.loop_of[first] = loop


def _components(following: Sequence[Sequence[int]], nodes: int, head: int) -> list[list[int]]:
    """Strongly connected parts in the order of control, each with the block it is entered at first.

    Where the order is free, blocks with low numbers come first: they stand first in the source.
    """
    index: dict[int, int] = {head: 0}
    low = {head: 0}
    stack, open_ = [head], {head}
    found: list[list[int]] = []
    work = [(head, _onward(following, nodes, head, head))]
    while work:
        block, onward = work[-1]
        if onward:
            target = onward.pop()
            if target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                open_.add(target)
                work.append((target, _onward(following, nodes, head, target)))
            elif target in open_:
                low[block] = min(low[block], index[target])
            continue
        work.pop()
        if work:
            low[work[-1][0]] = min(low[work[-1][0]], low[block])
        if low[block] == index[block]:
            at = stack.index(block)
            found.append(stack[at:])
            open_.difference_update(stack[at:])
            del stack[at:]
    return found[::-1]


def _onward(following: Sequence[Sequence[int]], nodes: int, head: int, block: int) -> list[int]:
    """Where to go on; the last of the list is gone to first, and so comes last in the order."""
    return sorted(t for t in following[block] if nodes >> t & 1 and t != head)


def _passed(
    order: Sequence[int], sources: Mapping[int, Sequence[int]], starts: int
) -> dict[int, int]:
    """What every way from one of `starts` to a block passes, by the usual iteration."""
    everything = -1
    passed = dict.fromkeys(order, everything)
    changed = True
    while changed:
        changed = False
        for block in order:
            common = 0 if starts >> block & 1 else everything
            for source in sources[block]:
                common &= passed[source]
            common |= 1 << block
            if common != passed[block]:
                passed[block] = common
                changed = True
    return passed
