# SPDX-License-Identifier: MIT
"""Divergence (uniformity) analysis: what may vary within a warp, and where lanes reconverge.

What depends on a thread's index, on memory that lanes read at different addresses or on results
of the engine may vary; arguments, block indices and sizes do not. Where paths of a divergent
branch join, a phi varies, too (as in LLVM's UniformityAnalysis).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from threadloom.backends.emulator.controlflow.graph import Graph
from threadloom.backends.emulator.controlflow.ir import Function, Instruction

_PASSED_ON = re.compile(r"call\b.*?@(?:llvm\.(?!threadlocal)[\w.]+)\(")
_THREAD_BYTES = 12
_STATE_BYTES = 24
"""Of the engine's state: the thread's index, then that of its block, which all lanes share."""
_STATE = "@llvm.threadlocal.address"
_OFFSET = re.compile(r"^getelementptr .*i8, ptr %[\w.]+, i64 (\d+)$")


@dataclass
class DivergenceAnalysis:
    """The result for one function, computed to a fixed point."""

    function: Function
    graph: Graph
    kernel: bool
    """Its arguments are those of the launch, and so uniform."""
    varying: set[str] = field(default_factory=set)
    """Values that may vary between lanes, by name."""
    branches: set[int] = field(default_factory=set)
    """Blocks that end with a divergent branch."""
    reconvergence: set[int] = field(default_factory=set)
    """Blocks where divergent lanes may reconverge."""
    divergent_loops: set[int] = field(default_factory=set)
    """Loops that lanes may leave in different iterations."""

    def __post_init__(self) -> None:
        if not self.kernel:
            self.varying.update(self.function.parameters)
        self._definitions = {
            i.result: (i, number)
            for number, block in enumerate(self.function.blocks)
            for i in block.instructions
            if i.result
        }
        while self._add_values() or self._add_branches():
            pass

    def _add_values(self) -> bool:
        before = len(self.varying)
        for number in self.graph.order:
            for each in self.function.blocks[number].instructions:
                if each.result and each.result not in self.varying and self._varies(each, number):
                    self.varying.add(each.result)
        return len(self.varying) > before

    def _varies(self, each: Instruction, block: int) -> bool:
        word = each.word
        if word in ("alloca", "atomicrmw", "cmpxchg", "va_arg"):
            return True
        if word == "phi" and block in self.reconvergence:
            return True
        if word == "call":
            return self._call_varies(each, block)
        return any(self._operand_varies(name, block) for name in each.operands)

    def _call_varies(self, each: Instruction, block: int) -> bool:
        if " asm " in each.text:
            return self._hidden_read_varies(each)
        if _STATE in each.text or "@tl_barrier" in each.text:
            return False
        if _PASSED_ON.search(each.text):
            return any(self._operand_varies(name, block) for name in each.operands)
        return True

    def _hidden_read_varies(self, each: Instruction) -> bool:
        """The engine's state is read by one instruction of inline assembly per part."""
        for name in each.operands:
            pointer = self._definitions.get(name)
            if pointer is None:
                continue
            offset = self._offset_in_state(pointer[0])
            if offset is None or not _THREAD_BYTES <= offset <= _STATE_BYTES:
                return True
        return False

    def _offset_in_state(self, pointer: Instruction) -> int | None:
        if _STATE in pointer.text:
            return 0
        match = _OFFSET.match(pointer.text)
        source = self._definitions.get(pointer.operands[-1]) if match else None
        if match and source and _STATE in source[0].text:
            return int(match[1])
        return None

    def _operand_varies(self, name: str, block: int) -> bool:
        if name in self.varying:
            return True
        if not self.divergent_loops or name not in self._definitions:
            return False
        made = self._definitions[name][1]
        return any(
            not self.graph.loops[loop].blocks >> block & 1
            for loop in self.graph.around(made)
            if loop in self.divergent_loops
        )

    def _add_branches(self) -> bool:
        """Add the branches whose condition varies, and where their paths join."""
        new = [
            number
            for number in self.graph.order
            if number not in self.branches and self._diverges_at(number)
        ]
        for number in new:
            self.branches.add(number)
            self._add_reconvergence(number)
        return bool(new)

    def _diverges_at(self, number: int) -> bool:
        block = self.function.blocks[number]
        if len(block.following) < 2:
            return False
        condition = block.condition
        if not condition:
            return True  # a computed jump
        return condition.startswith("%") and self._operand_varies(condition[1:], number)

    def _add_reconvergence(self, branch: int) -> None:
        """Follow the paths of a branch until they join."""
        rank, blocks = self.graph.rank, self.function.blocks
        label: dict[int, int] = {}
        back: dict[int, set[int]] = {}

        def go(source: int, target: int, path: int) -> None:
            if rank[target] <= rank[source]:
                back.setdefault(target, set()).add(path)
            elif label.setdefault(target, path) != path:
                label[target] = target
                self.reconvergence.add(target)

        for target in blocks[branch].following:
            go(branch, target, target)
        for block in self.graph.order[rank[branch] + 1 :]:
            if block in label:
                for target in blocks[block].following:
                    go(block, target, label[block])
        self.reconvergence.update(head for head, labels in back.items() if len(labels) > 1)
        for loop in self.graph.around(branch):
            self._add_divergent_loop(loop, label, back.get(self.graph.loops[loop].head, set()))

    def _add_divergent_loop(self, loop: int, label: dict[int, int], back: set[int]) -> None:
        """Add a loop, and its exits, that some lanes may leave while others iterate again."""
        inside = self.graph.loops[loop].blocks
        exits = {
            target
            for block in self.graph.order
            if inside >> block & 1
            for target in self.function.blocks[block].following
            if not inside >> target & 1 and target in label
        }
        if exits and back and len(back | {label[target] for target in exits}) > 1:
            self.divergent_loops.add(loop)
            self.reconvergence.update(exits)
