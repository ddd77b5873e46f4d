# SPDX-License-Identifier: MIT
"""What a kernel's body says: how it finds its index, and its steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from threadloom.backends.source.parsed import ParsedSource
from threadloom.backends.source.syntax import below, declared_name, line_of, text_of, walk

_PLACE = re.compile(r"\b(?:threadIdx|blockIdx)\b")
_BARRIER = re.compile(r"^(?:__sync(?:threads|warp)\w*|\w+\.sync)$")


@dataclass(frozen=True, slots=True)
class IndexExpression:
    """A variable that says which element a thread works on."""

    name: str
    expression: str
    """Its initializer on one line, such as ``blockIdx.x * blockDim.x + threadIdx.x``."""
    line: int
    type: str = "auto"
    """The variable's type as written."""


class StatementKind(StrEnum):
    """What a step of a warp does, for the picture of a warp."""

    INTEGER = "integer"
    READ = "read"
    ARITHMETIC = "arithmetic"
    WRITE = "write"
    BARRIER = "barrier"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Statement:
    """One simple statement or the head of a branch or loop."""

    line: int
    kind: StatementKind
    text: str


def index_expressions(parsed: ParsedSource, kernel: str) -> tuple[IndexExpression, ...]:
    """Declarations in a kernel's body whose value mentions ``threadIdx`` or ``blockIdx``."""
    function = parsed.functions.get(kernel)
    if function is None:
        return ()
    found = []
    for node in below(function.body, "init_declarator"):
        name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        identifier = declared_name(name) if name is not None else None
        if identifier is None or value is None:
            continue
        written = " ".join(text_of(parsed.source, value).split())
        if _PLACE.search(written):
            title = text_of(parsed.source, identifier)
            kind = node.parent.child_by_field_name("type") if node.parent else None
            type_ = text_of(parsed.source, kind) if kind is not None else "auto"
            found.append(IndexExpression(title, written, line_of(identifier), type_))
    return tuple(found)


def statements(parsed: ParsedSource, kernel: str) -> tuple[Statement, ...]:
    """The kernel's steps in the order of the text."""
    function = parsed.functions.get(kernel)
    if function is None:
        return ()
    return tuple(
        Statement(line_of(node), kind, " ".join(text_of(parsed.source, head).split()))
        for node in walk(function.body)
        for head, kind in _steps(parsed.source, node)
    )


def _steps(source: bytes, node: Node) -> list[tuple[Node, StatementKind]]:
    if node.type in ("if_statement", "while_statement", "do_statement"):
        condition = node.child_by_field_name("condition")
        return [(condition, StatementKind.BRANCH)] if condition is not None else []
    if node.type == "for_statement":
        condition = node.child_by_field_name("condition")
        return [(condition, StatementKind.BRANCH)] if condition is not None else []
    if node.type in ("expression_statement", "declaration", "return_statement"):
        return [(node, _kind(source, node))]
    return []


def _kind(source: bytes, node: Node) -> StatementKind:
    for call in below(node, "call_expression"):
        called = call.child_by_field_name("function")
        name = text_of(source, called) if called is not None else ""
        if _BARRIER.match(name):
            return StatementKind.BARRIER
        if name.startswith("atomic"):
            return StatementKind.WRITE
    if node.type == "return_statement":
        return StatementKind.BRANCH
    for assignment in below(node, "assignment_expression", "update_expression"):
        target = assignment.child_by_field_name("left") or assignment.child_by_field_name(
            "argument"
        )
        if target is not None and target.type in ("subscript_expression", "pointer_expression"):
            return StatementKind.WRITE
    if next(below(node, "subscript_expression", "pointer_expression"), None) is not None:
        return StatementKind.READ
    return StatementKind.ARITHMETIC if _floating(source, node) else StatementKind.INTEGER


def _floating(source: bytes, node: Node) -> bool:
    written = text_of(source, node)
    words = r"\b(?:float|double|real|half|float[234]|double[234])\b|\d\.\d*|\d+\.?f\b"
    if re.search(words, written):
        return True
    if node.type == "declaration":
        return False
    compound = re.compile(r"[*/+-]=")
    calls = next(below(node, "call_expression"), None) is not None
    return bool(compound.search(written)) or calls
