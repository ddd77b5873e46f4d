# SPDX-License-Identifier: MIT
"""A reader of LLVM IR as text: functions of basic blocks of instructions.

Only what control flow needs is read: labels, the instructions' results and operands, and the
targets of each block. See https://llvm.org/docs/LangRef.html for the text's form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_LABEL = re.compile(r'^([\w.$-]+|"[^"]*"):')
_RESULT = re.compile(r"^%([\w.]+) = (.*)$")
_VALUE = re.compile(r"%([\w.]+)")
_TARGET = re.compile(r'label %([\w.$-]+|"[^"]*")')
_GROUP = re.compile(r"^attributes #(\d+) = \{(.*)\}$")
_NAME = re.compile(r'@([\w.$]+|"[^"]*")\(')
_CONDITION = re.compile(r"^(?:br i1|switch (?P<type>i\d+)) (?P<value>[^,]+),")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, without its result and its metadata."""

    line: int
    """Index of its line in the text, the first of them if it has several."""
    last: int
    """Index of its last line, which has its metadata."""
    text: str
    result: str
    operands: tuple[str, ...]

    @property
    def word(self) -> str:
        """The opcode, such as ``load`` or ``phi``."""
        first, _space, rest = self.text.partition(" ")
        return rest.split(" ", 1)[0] if first in ("tail", "musttail", "notail") else first


@dataclass(slots=True)
class Block:
    """A basic block: its instructions, and the numbers of its successors."""

    instructions: list[Instruction] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    following: tuple[int, ...] = ()

    @property
    def end(self) -> Instruction:
        """The terminator."""
        return self.instructions[-1]

    @property
    def condition(self) -> str:
        """The value it branches on, with its ``%`` if it is no constant; empty if none."""
        found = _CONDITION.match(self.end.text)
        return found["value"] if found else ""

    @property
    def condition_type(self) -> str:
        """Its type."""
        found = _CONDITION.match(self.end.text)
        return (found["type"] or "i1") if found else ""


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body; its first block is its entry."""

    name: str
    parameters: tuple[str, ...]
    hidden: bool
    """It is not instrumented: it belongs to the engine."""
    blocks: tuple[Block, ...]

    def ends(self) -> frozenset[int]:
        """Numbers of the blocks in which it returns."""
        return frozenset(n for n, b in enumerate(self.blocks) if b.end.text.startswith("ret"))

    def instructions(self) -> Iterator[Instruction]:
        """All, block by block."""
        for block in self.blocks:
            yield from block.instructions


def functions_of(lines: Sequence[str]) -> tuple[Function, ...]:
    """Every function that the text defines."""
    unseen = {
        match[1]
        for line in lines
        if line.startswith("attributes ")
        and (match := _GROUP.match(line))
        and "nosanitize_coverage" in match[2]
    }
    found: list[Function] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("define "):
            end = lines.index("}", at)
            found.append(_function(lines, at, end, unseen))
            at = end
        at += 1
    return tuple(found)


def _function(lines: Sequence[str], start: int, end: int, unseen: set[str]) -> Function:
    head = lines[start]
    name = _NAME.search(head)
    blocks: dict[str, Block] = {"": Block()}
    block = blocks[""]
    at = start + 1
    while at < end:
        line = lines[at]
        if not line.startswith(" ") and (label := _LABEL.match(line)):
            block = blocks.setdefault(label[1], Block())
        elif (text := line.strip()) and not text.startswith(("#dbg", ";")):
            if text.startswith("switch "):
                close = next(i for i in range(at, end) if lines[i].strip().startswith("]"))
                text = " ".join(part.strip() for part in lines[at : close + 1])
                block.instructions.append(_instruction(at, close, text, block))
                at = close
            else:
                block.instructions.append(_instruction(at, at, text, block))
        at += 1
    if not blocks[""].instructions:
        del blocks[""]
    number = {label: index for index, label in enumerate(blocks)}
    for each in blocks.values():
        each.following = tuple(dict.fromkeys(number[target] for target in each.targets))
    hidden = bool(unseen & set(re.findall(r" #(\d+)\b", head)))
    inside = head[name.end() :] if name else ""
    return Function(
        name[1] if name else "", tuple(_VALUE.findall(inside)), hidden, tuple(blocks.values())
    )


def _instruction(line: int, last: int, text: str, block: Block) -> Instruction:
    body = text.partition(", !")[0]
    result = ""
    if (match := _RESULT.match(body)) is not None:
        result, body = match[1], match[2]
    if body.startswith(("br ", "switch ", "indirectbr ")):
        block.targets = _TARGET.findall(body)
    return Instruction(line, last, body, result, tuple(_VALUE.findall(body)))
