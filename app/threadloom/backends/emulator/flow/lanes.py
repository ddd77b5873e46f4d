# SPDX-License-Identifier: MIT
"""Which values and branches may differ between the lanes of a warp, and where such lanes meet.

What depends on a thread's index, on memory that lanes read at different places or on what the
engine answers may differ; arguments, block indices and sizes do not. Where ways of a branch that
may differ come together, the choice between values differs, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from threadloom.backends.emulator.flow.code import Function, Instruction
from threadloom.backends.emulator.flow.graph import Graph

_PASSED_ON = re.compile(r"call\b.*?@(?:llvm\.(?!threadlocal)[\w.]+)\(")
_THREAD_BYTES = 12
_STATE_BYTES = 24
"""Of the engine's state: the thread's index, then that of its block, which all lanes share."""
_STATE = "@llvm.threadlocal.address"
_OFFSET = re.compile(r"^getelementptr .*i8, ptr %[\w.]+, i64 (\d+)$")


@dataclass
class Lanes:
    """Found once for a function by going over it until nothing is added."""

    function: Function
    graph: Graph
    kernel: bool
    """Its arguments are those of the launch."""
    differing: set[str] = field(default_factory=set)
    """Values that may differ, by name."""
    branches: set[int] = field(default_factory=set)
    """Blocks at whose end lanes may part."""
    meetings: set[int] = field(default_factory=set)
    """Blocks where lanes that parted may meet again."""
    uneven: set[int] = field(default_factory=set)
    """Loops that lanes may leave in different turns."""

    def __post_init__(self) -> None:
        if not self.kernel:
            self.differing.update(self.function.parameters)
        self._definitions = {
            i.result: (i, number)
            for number, block in enumerate(self.function.blocks)
            for i in block.instructions
            if i.result
        }
        while self._values() or self._parts():
            pass

    def _values(self) -> bool:
        before = len(self.differing)
        for number in self.graph.order:
            for each in self.function.blocks[number].instructions:
                if (
                    each.result
                    and each.result not in self.differing
                    and self._differs(each, number)
                ):
                    self.differing.add(each.result)
        return len(self.differing) > before

    def _differs(self, each: Instruction, block: int) -> bool:
        word = each.word
        if word in ("alloca", "atomicrmw", "cmpxchg", "va_arg"):
            return True
        if word == "phi" and block in self.meetings:
            return True
        if word == "call":
            return self._call_differs(each, block)
        return any(self._operand_differs(name, block) for name in each.operands)

    def _call_differs(self, each: Instruction, block: int) -> bool:
        if " asm " in each.text:
            return self._peeked_differs(each)
        if _STATE in each.text or "@tl_barrier" in each.text:
            return False
        if _PASSED_ON.search(each.text):
            return any(self._operand_differs(name, block) for name in each.operands)
        return True

    def _peeked_differs(self, each: Instruction) -> bool:
        """The engine's state is read by one instruction of assembly for each of its parts."""
        for name in each.operands:
            place = self._definitions.get(name)
            if place is None:
                continue
            offset = self._offset_in_state(place[0])
            if offset is None or not _THREAD_BYTES <= offset <= _STATE_BYTES:
                return True
        return False

    def _offset_in_state(self, place: Instruction) -> int | None:
        if _STATE in place.text:
            return 0
        match = _OFFSET.match(place.text)
        source = self._definitions.get(place.operands[-1]) if match else None
        if match and source and _STATE in source[0].text:
            return int(match[1])
        return None

    def _operand_differs(self, name: str, block: int) -> bool:
        if name in self.differing:
            return True
        if not self.uneven or name not in self._definitions:
            return False
        made = self._definitions[name][1]
        return any(
            not self.graph.loops[loop].blocks >> block & 1
            for loop in self.graph.around(made)
            if loop in self.uneven
        )

    def _parts(self) -> bool:
        """Add the branches whose condition differs, and where their ways meet."""
        new = [
            number
            for number in self.graph.order
            if number not in self.branches and self._parts_at(number)
        ]
        for number in new:
            self.branches.add(number)
            self._meet(number)
        return bool(new)

    def _parts_at(self, number: int) -> bool:
        block = self.function.blocks[number]
        if len(block.following) < 2:
            return False
        condition = block.condition
        if not condition:
            return True  # a computed jump
        return condition.startswith("%") and self._operand_differs(condition[1:], number)

    def _meet(self, branch: int) -> None:
        """Follow the ways of a branch until they come together."""
        rank, blocks = self.graph.rank, self.function.blocks
        way: dict[int, int] = {}
        back: dict[int, set[int]] = {}

        def go(source: int, target: int, label: int) -> None:
            if rank[target] <= rank[source]:
                back.setdefault(target, set()).add(label)
            elif way.setdefault(target, label) != label:
                way[target] = target
                self.meetings.add(target)

        for target in blocks[branch].following:
            go(branch, target, target)
        for block in self.graph.order[rank[branch] + 1 :]:
            if block in way:
                for target in blocks[block].following:
                    go(block, target, way[block])
        self.meetings.update(head for head, labels in back.items() if len(labels) > 1)
        for loop in self.graph.around(branch):
            self._leave(loop, way, back.get(self.graph.loops[loop].head, set()))

    def _leave(self, loop: int, way: dict[int, int], back: set[int]) -> None:
        """Whether some lanes may go another turn while others leave the loop, and where to."""
        inside = self.graph.loops[loop].blocks
        exits = {
            target
            for block in self.graph.order
            if inside >> block & 1
            for target in self.function.blocks[block].following
            if not inside >> target & 1 and target in way
        }
        if exits and back and len(back | {way[target] for target in exits}) > 1:
            self.uneven.add(loop)
            self.meetings.update(exits)
