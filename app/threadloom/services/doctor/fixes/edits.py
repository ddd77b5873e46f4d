# SPDX-License-Identifier: MIT
"""Places in a source text: edits at the nodes of its syntax tree."""

from __future__ import annotations

from tree_sitter import Node

from threadloom.backends.source import ParsedSource, parse
from threadloom.backends.source.parsed import Function
from threadloom.model.finding import Edit
from threadloom.services.doctor.context import DiagnosticContext


def parsed_kernel(context: DiagnosticContext) -> tuple[ParsedSource, Function] | None:
    """The source and the launched kernel in it, if both are known and it can be edited there."""
    if context.run.signature is None or not context.run.source:
        return None
    parsed = parse(context.run.source)
    function = parsed.functions.get(context.run.signature.name)
    return None if function is None or not function.written else (parsed, function)


def insertion(source: bytes, at: int, text: str) -> Edit:
    """The edit that inserts a text at a byte offset; lines and columns count characters, from 1."""
    before = source[:at].decode(errors="replace")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Edit(line, column, line, column, text)


def replacement(source: bytes, start: int, end: int, text: str) -> Edit:
    """The edit that replaces the bytes from one offset to another, which it leaves out."""
    first, last = insertion(source, start, text), insertion(source, end, "")
    return Edit(first.line, first.column, last.line, last.column, text)


def indent_of(source: bytes, node: Node) -> str:
    """The blanks in front of a node's line."""
    start = source.rfind(b"\n", 0, node.start_byte) + 1
    line = source[start : node.start_byte].decode(errors="replace")
    return line[: len(line) - len(line.lstrip())]
