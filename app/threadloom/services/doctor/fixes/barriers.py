# SPDX-License-Identifier: MIT
"""Places where a barrier may keep two lines of a kernel apart. Which one does, is to be tried."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source.syntax import line_of, walk
from threadloom.model.finding import Finding, Fix
from threadloom.model.message import _
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.fixes.edits import indent_of, insertion, parsed_kernel

BARRIER = "__syncthreads();"
_STATEMENTS = {
    "expression_statement",
    "declaration",
    "for_statement",
    "while_statement",
    "do_statement",
    "if_statement",
    "compound_statement",
}


def barrier_fixes(context: DiagnosticContext, finding: Finding) -> Iterator[Fix]:
    """A barrier after each statement around the two lines of a race in shared memory."""
    found = parsed_kernel(context)
    lines = {finding.numbers.get("line"), finding.numbers.get("other_line")}
    numbers = finding.numbers
    if found is None or numbers.get("space") != "shared":
        return
    parsed, function = found
    offered: set[int] = set()
    for node in walk(function.body):
        if node.type not in _STATEMENTS or line_of(node) not in lines:
            continue
        for statement in _around(node, function.body):
            if statement.end_byte not in offered:
                offered.add(statement.end_byte)
                yield _after(parsed.source, statement)


def _around(node: Node, top: Node) -> Iterator[Node]:
    """The statement and those that hold it, each rank in a block of its own."""
    inner: Node | None = node
    while inner is not None and inner != top:
        if inner.parent is not None and inner.parent.type == "compound_statement":
            yield inner
        inner = inner.parent


def _after(source: bytes, statement: Node) -> Fix:
    text = f"\n{indent_of(source, statement)}{BARRIER}"
    title = _("Add `__syncthreads()` after line {line}").format(line=statement.end_point.row + 1)
    return Fix(title, edit=insertion(source, statement.end_byte, text))
