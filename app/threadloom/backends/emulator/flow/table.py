# SPDX-License-Identifier: MIT
"""What the engine and the program must know of a kernel's control flow, as numbers in its library.

Four lists of 32-bit numbers behind their lengths; ``engine/flow.h`` reads the same.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

SECTION = "tl_flow"
_NONE = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class SitePlace:
    """Something that threads tell of: an access, a wait, a call or a mark."""

    line: int
    column: int
    loop: int = -1
    """The innermost loop around it; -1 for none."""
    branch: int = -1
    """The branch that it tells the way of; -1 for none."""


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A loop: its sites are contiguous."""

    first: int
    """Its first site."""
    parent: int
    depth: int


@dataclass(frozen=True, slots=True)
class BranchPlace:
    """A branch at which the lanes of a warp may part."""

    line: int
    column: int
    source: int
    """The site that warps come to as often."""


@dataclass(frozen=True, slots=True, order=True)
class WayTold:
    """Who is at site `before` and then at `after` has taken a way of a branch."""

    before: int
    branch: int
    after: int
    way: int


@dataclass(frozen=True, slots=True)
class FlowTable:
    """By number: sites (0 is a thread's begin, 1 its end), loops and branches."""

    sites: list[SitePlace] = field(default_factory=list)
    loops: list[LoopPlace] = field(default_factory=list)
    branches: list[BranchPlace] = field(default_factory=list)
    ways: list[WayTold] = field(default_factory=list)

    def words(self) -> list[int]:
        """All of it as numbers below 2³²."""
        lists = (self.sites, self.loops, self.branches, sorted(self.ways))
        words = [len(each) for each in lists]
        words += [w for s in self.sites for w in (s.line, s.column, s.loop, s.branch)]
        words += [w for p in self.loops for w in (p.first, p.parent, p.depth)]
        words += [w for b in self.branches for w in (b.line, b.column, b.source)]
        words += [w for t in sorted(self.ways) for w in (t.before, t.branch, t.after, t.way)]
        return [word & _NONE for word in words]

    @classmethod
    def read(cls, raw: bytes) -> FlowTable:
        """From the bytes of the section."""
        words = iter(struct.unpack(f"<{len(raw) // 4}i", raw))
        counts = _take(words, 4)
        return cls(
            [SitePlace(*_take(words, 4)) for _i in range(counts[0])],
            [LoopPlace(*_take(words, 3)) for _i in range(counts[1])],
            [BranchPlace(*_take(words, 3)) for _i in range(counts[2])],
            [WayTold(*_take(words, 4)) for _i in range(counts[3])],
        )


def _take(words: Iterable[int], count: int) -> list[int]:
    source = iter(words)
    return [next(source) for _i in range(count)]
