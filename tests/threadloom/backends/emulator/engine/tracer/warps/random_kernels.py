# SPDX-License-Identifier: MIT
"""Random kernels of branches and loops, and what a GPU's warps would do in them.

The model runs a program for the lanes of a warp at once: both sides of a branch one after the
other, each with its lanes, which are together again behind it; a loop until its last lane has left.
Each line with a store is a request of the lanes that come to it together.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

WARP = 32
_DEEPEST = 3
_HASH = "s = s * 1664525u + 1013904223u;"
_WORD = 0xFFFFFFFF


@dataclass
class Ways:
    """Lanes that leave what is around a statement early."""

    broken: int = 0
    continued: int = 0


@dataclass
class Warp:
    """What happened to a warp so far, by line."""

    state: list[int]
    requests: Counter[int] = field(default_factory=Counter)
    lanes: Counter[int] = field(default_factory=Counter)
    executed: Counter[int] = field(default_factory=Counter)
    diverged: Counter[int] = field(default_factory=Counter)

    def hash(self, mask: int) -> None:
        for lane in bits(mask):
            self.state[lane] = (self.state[lane] * 1664525 + 1013904223) & _WORD

    def where(self, mask: int, holds: Callable[[int], bool]) -> int:
        return sum(1 << lane for lane in bits(mask) if holds(self.state[lane] >> 28))

    def part(self, line: int, mask: int, taken: int) -> None:
        self.executed[line] += 1
        self.diverged[line] += 0 < taken < mask

    def store(self, line: int, mask: int) -> None:
        self.requests[line] += 1
        self.lanes[line] += mask.bit_count()


Step = Callable[[Warp, int, Ways], int]
"""Runs for the lanes of a mask, and gives those that go on behind it."""


def bits(mask: int) -> list[int]:
    return [lane for lane in range(WARP) if mask >> lane & 1]


def run_all(steps: Sequence[Step], warp: Warp, mask: int, ways: Ways) -> int:
    for step in steps:
        mask = step(warp, mask, ways) if mask else 0
    return mask


class Kernel:
    """Text of a random kernel, and its steps."""

    def __init__(self, seed: int, barriers: bool = False) -> None:
        """With `barriers` between the statements, and then no thread returns early."""
        self._random, self._barriers = random.Random(seed), barriers
        self._lines = [
            "__global__ void k(volatile int *o, unsigned m1, unsigned m3, unsigned m7) {",
            f"unsigned t = blockIdx.x * blockDim.x + threadIdx.x, s = t * 2654435761u + {seed}u;",
        ]
        self._steps = self._block(0, loop=False, switch=False)
        self._lines.append("}")

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def run(self, seed: int, warps: int) -> Warp:
        """The sums over some full warps."""
        total = Warp([])
        for number in range(warps):
            threads = range(number * WARP, (number + 1) * WARP)
            warp = Warp([(t * 2654435761 + seed) & _WORD for t in threads])
            run_all(self._steps, warp, _WORD, Ways())
            total.requests += warp.requests
            total.lanes += warp.lanes
            total.executed += warp.executed
            total.diverged += warp.diverged
        return total

    def _line(self, text: str) -> int:
        self._lines.append(text)
        return len(self._lines)

    def _block(self, depth: int, loop: bool, switch: bool) -> list[Step]:
        steps = [self._store()]
        for _i in range(self._random.randint(1, 4) if depth < _DEEPEST else 0):
            if self._barriers and not depth:
                self._line("__syncthreads();")
            makers = [self._if, self._if, self._for, self._do, self._switch]
            if depth and (loop or not self._barriers) and self._random.random() < 0.3:
                steps.append(self._jump(loop, switch))
            else:
                steps.append(self._random.choice(makers)(depth, loop, switch))
        return steps

    def _store(self) -> Step:
        line = self._line(f"o[t] = {self._random.randint(1, 99)};")

        def step(warp: Warp, mask: int, _ways: Ways) -> int:
            warp.store(line, mask)
            return mask

        return step

    def _if(self, depth: int, loop: bool, switch: bool) -> Step:
        some = self._random.choice((1, 2, 3, 6, 15))
        line = self._line(f"{_HASH} if (s >> 28 & {some}) {{")
        first = self._block(depth + 1, loop, switch)
        second: list[Step] = []
        if self._random.random() < 0.5:
            self._line("} else {")
            second = self._block(depth + 1, loop, switch)
        self._line("}")

        def step(warp: Warp, mask: int, ways: Ways) -> int:
            warp.hash(mask)
            taken = warp.where(mask, lambda top: bool(top & some))
            warp.part(line, mask, taken)
            there = run_all(first, warp, taken, ways)
            return there | run_all(second, warp, mask & ~taken, ways)

        return step

    def _jump(self, loop: bool, switch: bool) -> Step:
        kinds = (
            ["return"] * (not self._barriers)
            + ["continue"] * loop
            + ["break"] * (loop and not switch)
        )
        kind, which = self._random.choice(kinds), self._random.randint(0, 7)
        line = self._line(f"{_HASH} if ((s >> 28 & 7) == {which}) {{")
        store = self._store()
        self._line(f"{_HASH} {kind}; }}")  # else the loop's condition would be known

        def step(warp: Warp, mask: int, ways: Ways) -> int:
            warp.hash(mask)
            taken = warp.where(mask, lambda top: top & 7 == which)
            warp.part(line, mask, taken)
            gone = run_all([store], warp, taken, ways)
            warp.hash(gone)
            ways.broken |= gone if kind == "break" else 0
            ways.continued |= gone if kind == "continue" else 0
            return mask & ~taken

        return step

    def _for(self, depth: int, _loop: bool, _switch: bool) -> Step:
        most, name = self._random.choice((1, 3, 7)), f"i{len(self._lines)}"
        head = f"unsigned {name} = 0, k{name} = s >> 28 & m{most}; {name} < k{name}; ++{name}"
        line = self._line(f"{_HASH} for ({head}) {{")
        body = self._block(depth + 1, loop=True, switch=False)
        self._line("}")

        def step(warp: Warp, mask: int, _ways: Ways) -> int:
            warp.hash(mask)
            turns = {lane: warp.state[lane] >> 28 & most for lane in bits(mask)}
            turn, left = 0, 0
            while mask:
                stay = sum(1 << lane for lane in bits(mask) if turn < turns[lane])
                warp.part(line, mask, stay)
                left |= mask & ~stay
                inside = Ways()
                mask = run_all(body, warp, stay, inside) | inside.continued
                left |= inside.broken
                turn += 1
            return left

        return step

    def _do(self, depth: int, _loop: bool, _switch: bool) -> Step:
        self._line("do {")
        body = self._block(depth + 1, loop=True, switch=False)
        most = self._random.choice((1, 3))
        line = self._line(f"{_HASH} }} while ((s >> 28 & {most}) == {most});")

        def step(warp: Warp, mask: int, _ways: Ways) -> int:
            left = 0
            while mask:
                inside = Ways()
                there = run_all(body, warp, mask, inside)
                warp.hash(there)
                left |= inside.broken
                mask = there | inside.continued
                if not mask:
                    break
                stay = warp.where(mask, lambda top: top & most == most)
                warp.part(line, mask, stay)
                left |= mask & ~stay
                mask = stay
            return left

        return step

    def _switch(self, depth: int, loop: bool, _switch: bool) -> Step:
        line = self._line(f"{_HASH} switch (s >> 28 & 3) {{")
        arms: list[list[Step]] = []
        for case in range(3):
            self._line(f"case {case}:")
            arms.append(self._block(depth + 1, loop, switch=True))
            self._line("break;")
        self._line("}")

        def step(warp: Warp, mask: int, ways: Ways) -> int:
            warp.hash(mask)
            tops = {lane: warp.state[lane] >> 28 & 3 for lane in bits(mask)}
            parts = [sum(1 << lane for lane in tops if tops[lane] == case) for case in range(4)]
            warp.executed[line] += 1
            warp.diverged[line] += sum(part != 0 for part in parts) > 1
            there = parts[3]
            for arm, part in zip(arms, parts, strict=False):
                there |= run_all(arm, warp, part, ways)
            return there

        return step
