# SPDX-License-Identifier: MIT
"""Variables in shared memory, and those of the device at file scope, from their declarations."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source.parsed import GlobalVariable, SharedDeclaration
from threadloom.backends.source.syntax import (
    declared_name,
    first_below,
    line_of,
    text_of,
    words_before_declarator,
)


def global_variables(
    source: bytes, node: Node, words: set[str], number: int
) -> Iterator[GlobalVariable]:
    """Those with a place of their own: no values at compile time, no pointers to code.

    They are counted from ``number`` on.
    """
    elsewhere = words & {"constexpr", "extern"} or node.has_error
    if elsewhere or first_below(node, "function_declarator") is not None:
        return
    kind = node.child_by_field_name("type")
    for child in node.children_by_field_name("declarator"):
        value = child.type == "init_declarator"
        declarator = child.child_by_field_name("declarator") if value else child
        name = declared_name(child)
        if declarator is None or name is None:
            continue
        yield GlobalVariable(
            name=text_of(source, name),
            type=text_of(source, kind) if kind is not None else "",
            dims=_extents(source, declarator),
            line=line_of(name),
            constant="__constant__" in words,
            const="const" in words,
            number=number,
            declaration=node,
            declarator=declarator,
        )
        number += 1


def shared_declarations(
    source: bytes, node: Node, function: str, number: int
) -> Iterator[SharedDeclaration]:
    """One for each name, counted from ``number`` on."""
    kind = node.child_by_field_name("type")
    words = words_before_declarator(source, node)
    for declarator in node.children_by_field_name("declarator"):
        name = declared_name(declarator)
        if name is None or node.has_error:
            continue
        yield SharedDeclaration(
            name=text_of(source, name),
            type=text_of(source, kind) if kind is not None else "",
            dims=_extents(source, declarator),
            line=line_of(name),
            dynamic="extern" in words,
            function=function,
            number=number,
            declaration=node,
            identifier=name,
        )
        number += 1


def _extents(source: bytes, declarator: Node) -> tuple[str, ...]:
    extents: list[str] = []
    node: Node | None = declarator
    while node is not None and node.type in ("array_declarator", "pointer_declarator"):
        size = node.child_by_field_name("size")
        if node.type == "array_declarator":
            extents.append(text_of(source, size) if size is not None else "")
        node = node.child_by_field_name("declarator")
    return tuple(reversed(extents))
