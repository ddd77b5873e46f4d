# SPDX-License-Identifier: MIT
"""One more column in a tile of shared memory, so that a column's words lie in different banks."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source import ParsedSource, SharedDeclaration
from threadloom.backends.source.integer_constant import constant
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, text_of
from threadloom.model.finding import Fix
from threadloom.model.message import _, count
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.edits import insertion, parsed_kernel

NARROWEST = 16
"""Widths from which rows of a power of two meet in the same banks."""


def padding_fixes(context: DiagnosticContext, array: str) -> Iterator[Fix]:
    """Widen a tile of two dimensions that is only used with two subscripts."""
    found = parsed_kernel(context)
    if found is None or context.run.signature is None:
        return
    parsed, function = found
    for declaration in parsed.shared_of(context.run.signature.name):
        if declaration.name == array and not declaration.dynamic and len(declaration.dims) == 2:
            yield from _padded(parsed, function, declaration)


def _padded(
    parsed: ParsedSource, function: Function, declaration: SharedDeclaration
) -> Iterator[Fix]:
    size, width = _last_size(declaration), constant(declaration.dims[-1], parsed.defines)
    if size is None or width is None or width < NARROWEST or width & (width - 1):
        return
    if _only_by_two_subscripts(parsed.source, function, declaration):
        title = _("Pad to {width} columns").format(width=count(width + 1))
        yield Fix(title, edit=insertion(parsed.source, size.end_byte, " + 1"))


def _last_size(declaration: SharedDeclaration) -> Node | None:
    """The innermost extent as written: a name or a number."""
    node, last = declaration.identifier.parent, None
    while node is not None and node.type == "array_declarator":
        last, node = node, node.parent
    size = last.child_by_field_name("size") if last is not None else None
    return size if size is not None and size.type in {"identifier", "number_literal"} else None


def _only_by_two_subscripts(
    source: bytes, function: Function, declaration: SharedDeclaration
) -> bool:
    for node in below(function.body, "identifier"):
        if text_of(source, node) != declaration.name or node == declaration.identifier:
            continue
        row = node.parent
        element = row.parent if row is not None else None
        if row is None or element is None:
            return False
        if row.type != "subscript_expression" or element.type != "subscript_expression":
            return False
    return True
