# SPDX-License-Identifier: MIT
"""The parts of a launch line by the grammar, of half a line too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from threadloom.backends.source.expression import ExpressionError
from threadloom.backends.source.syntax import below, declared_name, first_below, syntax_tree

_BEFORE, _AFTER = b"void f(){", b"\n;}"
"""Around the line, so that it is a statement to the grammar."""
_OPENING, _CLOSING = b"<<<", b">>>"
_OPEN, _CLOSE = ("(", "{", "["), (")", "}", "]")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the line without the blanks around it; offsets are of characters."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends."""
        return self.start, self.end

    def error(self, message: str, start: int, end: int) -> ExpressionError:
        """An error at a place of this part."""
        return ExpressionError(message, self.start + start, self.start + end)


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable with its initial value, which keeps the parentheses or braces around it."""

    type: str
    name: str
    value: Stretch


@dataclass(frozen=True, slots=True)
class LaunchSyntax:
    """A launch, complete or not."""

    start: int
    """Where ``<<<`` stands."""
    declared: tuple[Declared, ...]
    """Declarations before it."""
    parts: tuple[Stretch, ...]
    """What is between ``<<<`` and ``>>>``; at least one, which may be empty."""
    closed: bool
    """Whether there is a ``>>>``."""
    arguments: tuple[str, ...]
    rest: tuple[int, int]
    """What follows the parts."""


def launch_syntax(text: str) -> LaunchSyntax | None:
    """The first launch of a text; None without ``<<<``."""
    reading = _Reading(text)
    leaves = list(_leaves(reading.root))
    at = next((i for i, leaf in enumerate(leaves) if reading.begins(leaf, _OPENING)), None)
    if at is None:
        return None
    opened = leaves[at].start_byte
    inside = [leaf for leaf in leaves[at:] if leaf.start_byte >= opened + len(_OPENING)]
    parts, closed = _parts(reading, opened + len(_OPENING), inside)
    after = [leaf for leaf in inside if leaf.start_byte >= closed + len(_CLOSING)]
    return LaunchSyntax(
        start=reading.offset(opened),
        declared=tuple(reading.declared(opened)),
        parts=tuple(parts),
        closed=closed < reading.end,
        arguments=_written(reading, after),
        rest=(reading.offset(closed), len(text)),
    )


class _Reading:
    """A text with its syntax tree."""

    def __init__(self, text: str) -> None:
        self._written = _BEFORE + text.encode(errors="replace") + _AFTER
        self.root = syntax_tree(self._written).root_node
        self.end = len(self._written) - len(_AFTER)

    def begins(self, leaf: Node, sign: bytes) -> bool:
        """Whether a sign stands here; the grammar may have read it as several."""
        plain = leaf.type != "comment" and leaf.type != "string_content"
        return plain and self._written.startswith(sign, leaf.start_byte)

    def offset(self, byte: int) -> int:
        """The character of the text at a byte."""
        before = self._written[len(_BEFORE) : min(byte, self.end)]
        return len(before.decode(errors="ignore"))

    def word(self, leaf: Node) -> str:
        """What is written there."""
        return self._written[leaf.start_byte : leaf.end_byte].decode(errors="replace")

    def stretch(self, start: int, end: int) -> Stretch:
        """What stands between two bytes."""
        written = self._written[start:end].decode(errors="replace")
        first = self.offset(start) + len(written) - len(written.lstrip())
        text = written.strip()
        return Stretch(text, first, first + len(text))

    def declared(self, end: int) -> Iterator[Declared]:
        """Declarations with values before a byte."""
        for node in below(self.root, "declaration"):
            kind = node.child_by_field_name("type")
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if kind is None or name is None or name.end_byte > end:
                    continue
                value = self._value(declarator, self.word(kind))
                if value is not None:
                    yield Declared(self.word(kind), self.word(name), value)

    def _value(self, declarator: Node, kind: str) -> Stretch | None:
        """Where the initial value of a number or ``dim3`` stands."""
        inner = declarator.child_by_field_name("declarator")
        value = declarator.child_by_field_name("value")
        if declarator.type == "function_declarator":
            # To the grammar, ``dim3 grid(n)`` may declare a function.
            value = declarator.child_by_field_name("parameters")
        if (place := _missing_value(declarator)) is not None:
            return self.stretch(place, place)
        if inner is None or inner.type != "identifier" or value is None or value.is_missing:
            return None
        start, end = value.start_byte, value.end_byte
        if value.type == "initializer_list" and kind != "dim3":
            return self.stretch(start + 1, end - 1)
        if value.type not in ("argument_list", "parameter_list"):
            return self.stretch(start, end)
        if kind != "dim3":
            return self.stretch(start + 1, end - 1)
        # With its type before them, the parentheses are an expression.
        given = self.stretch(start, end)
        return Stretch(f"{kind}{given.text}", given.start - len(kind), given.end)


def _missing_value(declarator: Node) -> int | None:
    """The empty place after a ``=`` that nothing follows; None if it is not so."""
    if declarator.type == "identifier":
        after = declarator.next_sibling
        signs = after.children if after is not None and after.is_error else []
        return signs[0].end_byte if len(signs) == 1 and signs[0].type == "=" else None
    semicolon = next((child for child in declarator.children if child.is_error), None)
    alone = semicolon is not None and semicolon.text == b";"
    return semicolon.start_byte if semicolon is not None and alone else None


def _leaves(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.children:
            waiting += reversed(node.children)
        elif node.end_byte > node.start_byte:
            yield node


def _parts(reading: _Reading, start: int, leaves: Sequence[Node]) -> tuple[list[Stretch], int]:
    """What the commas before ``>>>`` set apart, and where ``>>>`` stands, or the text ends."""
    call = first_below(reading.root, "kernel_call_syntax")
    if call is not None and not call.has_error and call.start_byte == start - len(_OPENING):
        inside = [child for child in call.named_children if child.type != "comment"]
        ends = [(child.start_byte, child.end_byte) for child in inside]
        return [reading.stretch(*place) for place in ends], call.end_byte - len(_CLOSING)
    parts, depth, begin, end = [], 0, start, reading.end
    for leaf in leaves:
        depth += (leaf.type in _OPEN) - (leaf.type in _CLOSE)
        if reading.begins(leaf, _CLOSING) or leaf.start_byte >= reading.end:
            end = min(leaf.start_byte, reading.end)
            break
        if leaf.type == "," and depth == 0:
            parts.append(reading.stretch(begin, leaf.start_byte))
            begin = leaf.end_byte
    return [*parts, reading.stretch(begin, end)], end


def _written(reading: _Reading, leaves: Sequence[Node]) -> tuple[str, ...]:
    """Arguments as written, split at commas that are not within parentheses."""
    if not leaves or leaves[0].type != "(":
        return ()
    depth, current, found = 0, "", []
    for leaf in leaves[1:]:
        if leaf.start_byte >= reading.end or (leaf.type == ")" and depth == 0):
            break
        word = reading.word(leaf)
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == "," and depth == 0:
            found.append(current)
            current = ""
        elif leaf.type != "comment":
            apart = current[-1:].isalnum() and word[:1].isalnum()
            current += f" {word}" if apart else word
    return tuple([*found, current] if current or found else found)
