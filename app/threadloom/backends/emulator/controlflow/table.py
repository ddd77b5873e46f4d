# SPDX-License-Identifier: MIT
"""The control-flow table of a kernel's library: sites, loops, branches and taken paths.

Four lists of 32-bit numbers behind their lengths; ``engine/tracer/warps/control_flow.h`` reads it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

SECTION = "tl_flow"
_NONE = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """A site of events: an access, a synchronization, a call or a probe."""

    line: int
    column: int
    loop: int = -1
    """The innermost loop around it; -1 for none."""
    branch: int = -1
    """The branch whose path it logs; -1 for none."""


@dataclass(frozen=True, slots=True)
class LoopRecord:
    """A loop: its sites are contiguous."""

    first: int
    """Its first site."""
    parent: int
    depth: int


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """A divergent branch."""

    line: int
    column: int
    source: int
    """The site that warps execute as often."""


@dataclass(frozen=True, slots=True, order=True)
class TakenPath:
    """A thread that is at site `before` and then at `after` has taken a path of a branch."""

    before: int
    branch: int
    after: int
    path: int


@dataclass(frozen=True, slots=True)
class FlowTable:
    """By number: sites (0 is a thread's start, 1 its end), loops and branches."""

    sites: list[SiteRecord] = field(default_factory=list)
    loops: list[LoopRecord] = field(default_factory=list)
    branches: list[BranchRecord] = field(default_factory=list)
    paths: list[TakenPath] = field(default_factory=list)

    def words(self) -> list[int]:
        """All of it as numbers below 2³²."""
        lists = (self.sites, self.loops, self.branches, sorted(self.paths))
        words = [len(each) for each in lists]
        words += [w for s in self.sites for w in (s.line, s.column, s.loop, s.branch)]
        words += [w for p in self.loops for w in (p.first, p.parent, p.depth)]
        words += [w for b in self.branches for w in (b.line, b.column, b.source)]
        words += [w for t in sorted(self.paths) for w in (t.before, t.branch, t.after, t.path)]
        return [word & _NONE for word in words]

    @classmethod
    def read(cls, raw: bytes) -> FlowTable:
        """From the bytes of the section."""
        words = iter(struct.unpack(f"<{len(raw) // 4}i", raw))
        counts = _take(words, 4)
        return cls(
            [SiteRecord(*_take(words, 4)) for _i in range(counts[0])],
            [LoopRecord(*_take(words, 3)) for _i in range(counts[1])],
            [BranchRecord(*_take(words, 3)) for _i in range(counts[2])],
            [TakenPath(*_take(words, 4)) for _i in range(counts[3])],
        )


def _take(words: Iterable[int], count: int) -> list[int]:
    source = iter(words)
    return [next(source) for _i in range(count)]
