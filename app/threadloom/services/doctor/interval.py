# SPDX-License-Identifier: MIT
"""Bounds of a kernel's integer expressions over all threads of a launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, declared_name, text_of
from threadloom.model.launch import Launch
from threadloom.services.doctor.context import Facts

INT_LEAST, INT_MOST = -(2**31), 2**31 - 1
_WIDE = {"long long", "long", "size_t", "int64_t", "uint64_t", "unsigned long long", "ptrdiff_t"}


@dataclass(frozen=True, slots=True)
class Interval:
    """Least and largest value, and whether C computes it as a 32-bit ``int``."""

    least: int
    most: int
    is_int: bool = True

    @property
    def overflows(self) -> bool:
        """Whether every value is outside what an ``int`` holds, though it is computed as one."""
        return self.is_int and (self.least > INT_MOST or self.most < INT_LEAST)


class Bounds:
    """Bounds of the expressions of one kernel. What is not understood has none."""

    def __init__(self, facts: Facts, parsed: ParsedSource, function: Function) -> None:
        self._source = parsed.source
        self._body = function.body
        self._changed = frozenset(self._targets())
        self._names: dict[str, Interval | None] = dict(_numbers(facts))
        self._places = dict(_places(facts.launch))

    def overflowing(self) -> Iterator[Node]:
        """Sums and products that no thread can compute, innermost first."""
        for declaration in below(self._body, "init_declarator"):
            self._declare(declaration)
        found: list[Node] = []
        for node in below(self._body, "binary_expression"):
            bounds = self.of(node)
            if bounds is not None and bounds.overflows and not _holds(node, found):
                found = [other for other in found if not _holds(other, [node])]
                found.append(node)
        yield from found

    def of(self, node: Node) -> Interval | None:
        """Bounds of one expression."""
        match node.type:
            case "parenthesized_expression":
                return self.of(node.named_children[0]) if node.named_child_count == 1 else None
            case "number_literal":
                return _literal(self._text(node))
            case "identifier":
                name = self._text(node)
                return None if name in self._changed else self._names.get(name)
            case "field_expression":
                return self._places.get(self._text(node))
            case "cast_expression":
                return self._cast(node)
            case "binary_expression":
                return self._binary(node)
        return None

    def _text(self, node: Node) -> str:
        return text_of(self._source, node).strip()

    def _targets(self) -> Iterator[str]:
        """Names that are assigned to after their declaration."""
        for node in below(self._body, "assignment_expression", "update_expression"):
            for field in ("left", "argument"):
                target = node.child_by_field_name(field)
                if target is not None and target.type == "identifier":
                    yield self._text(target)

    def _declare(self, declarator: Node) -> None:
        name, value = declared_name(declarator), declarator.child_by_field_name("value")
        kind = declarator.parent.child_by_field_name("type") if declarator.parent else None
        if name is None or value is None or kind is None:
            return
        bounds, written = self.of(value), self._text(kind)
        if bounds is None or (written != "int" and written not in _WIDE):
            self._names[self._text(name)] = None
        elif written == "int":
            fits = bounds.least >= INT_LEAST and bounds.most <= INT_MOST
            self._names[self._text(name)] = Interval(bounds.least, bounds.most) if fits else None
        else:
            self._names[self._text(name)] = Interval(bounds.least, bounds.most, is_int=False)

    def _cast(self, node: Node) -> Interval | None:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        bounds = self.of(value) if value is not None else None
        if kind is None or bounds is None:
            return None
        if self._text(kind) in _WIDE:
            return Interval(bounds.least, bounds.most, is_int=False)
        return bounds if self._text(kind) == "int" and bounds.is_int else None

    def _binary(self, node: Node) -> Interval | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None or sign is None:
            return None
        a, b = self.of(left), self.of(right)
        return None if a is None or b is None else _combined(self._text(sign), a, b)


def _combined(sign: str, a: Interval, b: Interval) -> Interval | None:
    is_int = a.is_int and b.is_int
    match sign:
        case "+":
            return Interval(a.least + b.least, a.most + b.most, is_int)
        case "-":
            return Interval(a.least - b.most, a.most - b.least, is_int)
        case "*":
            corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
            return Interval(min(corners), max(corners), is_int)
    return None


def _literal(written: str) -> Interval | None:
    digits = written.rstrip("lL")
    return Interval(int(digits), int(digits), digits == written) if digits.isdigit() else None


def _numbers(facts: Facts) -> Iterator[tuple[str, Interval]]:
    """Parameters that are a number of the type that they are passed as."""
    for parameter in facts.signature.parameters if facts.signature else ():
        value = facts.arguments.get(parameter.name)
        if parameter.pointer or value is None or np.ndim(value) or value.dtype.kind != "i":
            continue
        if parameter.type == "int" or parameter.type in _WIDE:
            number = int(value)
            yield parameter.name, Interval(number, number, parameter.type == "int")


def _places(launch: Launch) -> Iterator[tuple[str, Interval]]:
    """CUDA's own variables: unsigned, so that a sum with one of them is no ``int``."""
    for axis, blocks, threads in zip("xyz", launch.grid, launch.block, strict=True):
        yield f"threadIdx.{axis}", Interval(0, threads - 1, is_int=False)
        yield f"blockIdx.{axis}", Interval(0, blocks - 1, is_int=False)
        yield f"blockDim.{axis}", Interval(threads, threads, is_int=False)
        yield f"gridDim.{axis}", Interval(blocks, blocks, is_int=False)


def _holds(outer: Node, inner: list[Node]) -> bool:
    return any(
        outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte for node in inner
    )


def overflowing(facts: Facts, parsed: ParsedSource, function: Function) -> Mapping[Node, Interval]:
    """Expressions of a kernel that overflow in every thread that gets there, with their bounds."""
    bounds = Bounds(facts, parsed, function)
    found = {node: bounds.of(node) for node in bounds.overflowing()}
    return {node: interval for node, interval in found.items() if interval is not None}
