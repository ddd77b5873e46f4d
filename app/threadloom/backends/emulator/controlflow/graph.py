# SPDX-License-Identifier: MIT
"""An order of a function's blocks in which loops are contiguous, its loops, and dominators.

Loops, also those with several entries, are the strongly connected parts of the graph
(Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972); those within a
loop are found likewise without the edges to its head. Sets of blocks are bits of integers.

What is run on an exit from a loop's middle, before a ``break`` or a ``return``, belongs to the
loop: a GPU runs it in the iteration in which lanes leave, and not when all have left.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Loop:
    """Blocks that may run several times before what follows them."""

    head: int
    """The block that an iteration begins with."""
    parent: int
    """Index of the loop around it; -1 for none."""
    blocks: int
    """Its blocks, those of inner loops included."""


@dataclass
class Graph:
    """Blocks by number, the first of them is the entry."""

    following: Sequence[Sequence[int]]
    ends: Collection[int]
    """Blocks in which the function returns."""
    order: list[int] = field(default_factory=list)
    """Blocks that can be reached: each before those after it, a loop's next to each other."""
    loops: list[Loop] = field(default_factory=list)
    """Outer ones before inner ones."""
    loop_of: dict[int, int] = field(default_factory=dict)
    """The innermost loop around a block; -1 for none."""

    def __post_init__(self) -> None:
        self._back: dict[int, set[int]] = {}
        self._arrange((1 << len(self.following)) - 1, 0, -1)
        leaving = {loop.head: self._leaving(loop) for loop in self.loops}
        for head, blocks in leaving.items():
            for block in bits(blocks):
                self._back.setdefault(block, set()).add(head)
        if self._back:
            self.order, self.loops, self.loop_of = [], [], {}
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
        """Dominators of each block, itself included."""
        return _passed(self.order, self.before, 1)

    @cached_property
    def afterwards(self) -> dict[int, int]:
        """Post-dominators: blocks on every path from a block to the end, itself included."""
        following = {block: self.following[block] for block in self.order}
        return _passed(self.order[::-1], following, sum(1 << block for block in self.ends))

    def around(self, block: int) -> list[int]:
        """Loops around a block, the innermost first."""
        found, loop = [], self.loop_of[block]
        while loop >= 0:
            found.append(loop)
            loop = self.loops[loop].parent
        return found

    def latches(self, loop: int) -> list[int]:
        """Blocks of a loop that go back to its head, or out of its middle."""
        head, inside = self.loops[loop].head, self.loops[loop].blocks
        return [b for b in bits(inside) if head in self._onward_of(b)]

    def _onward_of(self, block: int) -> list[int]:
        """Blocks that may follow, and heads of loops that the block belongs to as an exit."""
        return [*self.following[block], *self._back.get(block, ())]

    def _leaving(self, loop: Loop) -> int:
        """Blocks on exits from the middle of a loop, up to where they join its usual exit."""
        rank = {block: at for at, block in enumerate(self.order)}
        out = {
            block: sum(1 << t for t in set(self.following[block]) if not loop.blocks >> t & 1)
            for block in bits(loop.blocks)
        }
        whole = functools.reduce(operator.or_, out.values(), 0)
        latches = (out[block] for block in out if loop.head in self.following[block])
        usual = (
            functools.reduce(operator.or_, latches, 0)
            or out[loop.head]
            or self._reconvergence(whole)
        )
        leaving = self._ahead(whole & ~usual, rank) & ~self._ahead(usual, rank)
        own = loop.blocks
        for block in self.order:
            if leaving >> block & 1 and all(own >> source & 1 for source in self.before[block]):
                own |= 1 << block
        return own & ~loop.blocks

    def _ahead(self, blocks: int, rank: Mapping[int, int]) -> int:
        """What can be reached from blocks without another iteration of any loop, them included."""
        for block in self.order:
            if blocks >> block & 1:
                blocks |= sum(1 << t for t in set(self.following[block]) if rank[t] > rank[block])
        return blocks

    def _reconvergence(self, blocks: int) -> int:
        """The first block that all paths from some blocks pass, as a bit; 0 if there is none."""
        common = functools.reduce(operator.and_, (self.afterwards[b] for b in bits(blocks)), -1)
        found = [block for block in self.order if common >> block & 1]
        return 1 << found[0] if blocks and found else 0

    def _arrange(self, nodes: int, head: int, loop: int) -> None:
        """Append the blocks among `nodes` to the order; edges to `head` do not count."""
        onward = [self._onward_of(block) for block in range(len(self.following))]
        for part in _components(onward, nodes, head):
            first = part[0]
            if len(part) > 1 or (first != head and first in onward[first]):
                inside = sum(1 << block for block in part)
                self.loops.append(Loop(first, loop, inside))
                self._arrange(inside, first, len(self.loops) - 1)
            else:
                self.order.append(first)
                self.loop_of[first] = loop


def bits(number: int) -> list[int]:
    """Positions of the bits that are set."""
    return [at for at in range(number.bit_length()) if number >> at & 1]


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
    """What every path from one of `starts` to a block passes, by the usual iteration."""
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
