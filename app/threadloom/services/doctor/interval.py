# SPDX-License-Identifier: MIT
"""Bounds of a kernel's integer expressions over all threads of a launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.expression import (
    INTERVALS,
    CType,
    Interval,
    bounds,
    type_named,
)
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, declared_name, text_of
from threadloom.model.launch import Launch
from threadloom.services.doctor.context import DiagnosticContext


class Bounds:
    """Bounds of the expressions of one kernel. What is not understood has none."""

    def __init__(
        self, context: DiagnosticContext, parsed: ParsedSource, function: Function
    ) -> None:
        self._source = parsed.source
        self._body = function.body
        self._changed = frozenset(self._targets())
        known = {**dict(_numbers(context)), **dict(_places(context.run.launch))}
        self._names = {name: value for name, value in known.items() if name not in self._changed}

    def overflowing(self) -> Iterator[Node]:
        """Sums and products that no thread can compute, innermost first."""
        for declaration in below(self._body, "init_declarator"):
            self._declare(declaration)
        found: list[Node] = []
        for node in below(self._body, "binary_expression"):
            if self.of(node).overflows and not _holds(node, found):
                found = [other for other in found if not _holds(other, [node])]
                found.append(node)
        yield from found

    def of(self, node: Node) -> Interval:
        """Bounds of one expression."""
        return bounds(self._text(node), self._names)

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
        to = type_named(self._text(kind))
        if self._text(name) in self._changed or to is None or to.floating:
            self._names.pop(self._text(name), None)
        else:
            self._names[self._text(name)] = INTERVALS.convert(self.of(value), to)


def _numbers(context: DiagnosticContext) -> Iterator[tuple[str, Interval]]:
    """Parameters that are a number of the type that they are passed as."""
    for parameter in context.run.signature.parameters if context.run.signature else ():
        value = context.known.arguments.get(parameter.name)
        to = type_named(parameter.type)
        if parameter.pointer or value is None or np.ndim(value) or value.dtype.kind != "i":
            continue
        if to is not None and not to.floating:
            yield parameter.name, Interval(int(value), int(value), to)


def _places(launch: Launch) -> Iterator[tuple[str, Interval]]:
    """CUDA's built-in variables, which are unsigned."""
    for axis, blocks, threads in zip("xyz", launch.grid, launch.block, strict=True):
        yield f"threadIdx.{axis}", Interval(0, threads - 1, CType.UINT)
        yield f"blockIdx.{axis}", Interval(0, blocks - 1, CType.UINT)
        yield f"blockDim.{axis}", Interval(threads, threads, CType.UINT)
        yield f"gridDim.{axis}", Interval(blocks, blocks, CType.UINT)


def _holds(outer: Node, inner: list[Node]) -> bool:
    return any(
        outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte for node in inner
    )


def overflowing(
    context: DiagnosticContext, parsed: ParsedSource, function: Function
) -> Mapping[Node, Interval]:
    """Expressions of a kernel that overflow in every thread that gets there, with their bounds."""
    known = Bounds(context, parsed, function)
    return {node: known.of(node) for node in known.overflowing()}
