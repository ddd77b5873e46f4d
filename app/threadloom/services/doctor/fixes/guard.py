# SPDX-License-Identifier: MIT
"""Conditions that keep threads inside an array: whether there are any, and adding one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, declared_name, line_of, text_of
from threadloom.model.finding import Fix
from threadloom.model.message import _
from threadloom.model.trace import Violation
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.edits import indent_of, insertion, parsed_kernel

_TOGETHER = re.compile(r"__sync|__shfl|__ballot|__any_|__all_|__reduce_|\bsync\s*\(|\.sync\b")
"""What a thread that has left would be missed at."""
_PLACE = re.compile(r"\bthreadIdx\b")
_CONDITIONS = {
    "if_statement",
    "for_statement",
    "while_statement",
    "do_statement",
    "switch_statement",
    "conditional_expression",
}


@dataclass(frozen=True, slots=True)
class _Index:
    """A variable that numbers the threads, with the statement that declares it."""

    name: str
    declaration: Node


def unguarded(context: DiagnosticContext, array: str) -> int | None:
    """Line of a store to the array that no condition stands before; None if there is none."""
    found = parsed_kernel(context)
    if found is None or _leaves_early(found[1].body):
        return None
    parsed, function = found
    for node in below(function.body, "assignment_expression"):
        target = node.child_by_field_name("left")
        if target is not None and _subscripted(parsed.source, target) == array:
            return None if _conditional(node, function.body) else line_of(node)
    return None


def guard_fixes(context: DiagnosticContext, violations: Sequence[Violation]) -> Iterator[Fix]:
    """A guard for threads past the end, where one index says all and leaving does no harm."""
    found = parsed_kernel(context)
    limit = _limit(context, violations[0].array)
    if found is None or limit is None or any(v.index < 0 for v in violations):
        return
    parsed, function = found
    index = _index(parsed, function, violations)
    if index is None or _TOGETHER.search(text_of(parsed.source, function.body)):
        return
    if _others_go_further(context, violations[0].array):
        return
    guard = f"\n{indent_of(parsed.source, index.declaration)}if ({index.name} >= {limit}) return;"
    edit = insertion(parsed.source, index.declaration.end_byte, guard)
    yield Fix(_("Add guard `{guard}`").format(guard=f"if ({index.name} < {limit})"), edit=edit)


def _limit(context: DiagnosticContext, array: str) -> str | None:
    """The parameter that holds the number of elements, else the number."""
    elements = _elements(context, array)
    if elements is None or context.run.signature is None:
        return None
    for parameter in context.run.signature.parameters:
        value = context.known.arguments.get(parameter.name, context.sizes.get(parameter.name))
        if not parameter.pointer and np.ndim(value or 0) == 0 and value == elements:
            return parameter.name
    return str(elements)


def _elements(context: DiagnosticContext, array: str) -> int | None:
    argument = context.known.arguments.get(array)
    if isinstance(argument, np.ndarray):
        return int(argument.size)
    coverage = context.run.trace.coverage.get(array) if context.run.trace else None
    return coverage.elements if coverage else None


def _others_go_further(context: DiagnosticContext, array: str) -> bool:
    """Whether threads past this array's end have work in another one."""
    elements = _elements(context, array) or 0
    coverages = context.run.trace.coverage.values() if context.run.trace else ()
    return any(c.elements > elements and c.written > elements for c in coverages)


def _index(
    parsed: ParsedSource, function: Function, violations: Sequence[Violation]
) -> _Index | None:
    """The variable that alone is the index at every faulty line."""
    written = {
        text_of(parsed.source, node).strip()
        for node in below(function.body, "subscript_expression")
        if any(
            v.line == line_of(node) and v.array == _subscripted(parsed.source, node)
            for v in violations
        )
        for node in [_inside(node)]
    }
    if len(written) != 1:
        return None
    (name,) = written
    return next((i for i in _indices(parsed, function) if i.name == name), None)


def _indices(parsed: ParsedSource, function: Function) -> Iterator[_Index]:
    for declaration in function.body.named_children:
        declarators = declaration.children_by_field_name("declarator")
        if declaration.type != "declaration" or len(declarators) != 1:
            continue
        name, value = declared_name(declarators[0]), declarators[0].child_by_field_name("value")
        if name is not None and value is not None and _PLACE.search(text_of(parsed.source, value)):
            yield _Index(text_of(parsed.source, name), declaration)


def _inside(subscript: Node) -> Node:
    """What stands between the brackets."""
    inner = subscript.child_by_field_name("indices") or subscript.child_by_field_name("index")
    if inner is None:
        return subscript
    if inner.type == "subscript_argument_list" and inner.named_child_count == 1:
        return inner.named_children[0]
    return inner


def _subscripted(source: bytes, node: Node) -> str:
    """Name of the array in ``name[…]``; empty for anything else."""
    if node.type != "subscript_expression":
        return ""
    array = node.child_by_field_name("argument")
    return text_of(source, array) if array is not None and array.type == "identifier" else ""


def _conditional(node: Node, top: Node) -> bool:
    above = node.parent
    while above is not None and above != top:
        if above.type in _CONDITIONS:
            return True
        above = above.parent
    return False


def _leaves_early(body: Node) -> bool:
    return any(_conditional(node, body) for node in below(body, "return_statement"))
