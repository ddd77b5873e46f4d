# SPDX-License-Identifier: MIT
"""Errors with constant memory that a CPU compiler accepts."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.emulator.compile.binary import Binary
from threadloom.backends.source import Function, GlobalVariable, ParsedSource
from threadloom.backends.source.syntax import below, declared_name, line_of, text_of
from threadloom.model.message import _, count
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity

MOST_BYTES = 64 * 1024
"""Constant memory of every device (CUDA C++ Programming Guide, "Technical Specifications")."""
_CHANGES = ("assignment_expression", "update_expression")


def stores_to_constants(parsed: ParsedSource) -> list[Diagnostic]:
    """Errors for assignments to ``__constant__`` variables, in nvcc's words."""
    constants = {variable.name: variable for variable in parsed.globals if variable.constant}
    return [
        Diagnostic(
            Severity.ERROR,
            _("expression must be a modifiable lvalue"),
            line_of(place),
            place.start_point.column + 1,
        )
        for function in parsed.functions.values()
        for place in _stores(parsed.source, function, constants)
    ]


def too_much_constant_memory(parsed: ParsedSource, binary: Binary) -> Diagnostic | None:
    """An error if the variables do not fit."""
    constants = {variable.number: variable for variable in parsed.globals if variable.constant}
    used = sum(place.bytes for place in binary.globals if place.number in constants)
    if used <= MOST_BYTES:
        return None
    message = _("The file declares {used} bytes of constant memory; {most} are allowed.").format(
        used=count(used), most=count(MOST_BYTES)
    )
    return Diagnostic(Severity.ERROR, message, min(v.line for v in constants.values()))


def _stores(
    source: bytes, function: Function, constants: dict[str, GlobalVariable]
) -> Iterator[Node]:
    if not constants.keys() & function.calls:
        return
    local = {*function.parameters, *_declared(source, function.body)}
    for node in below(function.body, *_CHANGES):
        changed = node.child_by_field_name("left") or node.child_by_field_name("argument")
        found = _variable(source, changed) if changed is not None else None
        if found is None or found[0] in local or found[0] not in constants:
            continue
        if found[1] <= len(constants[found[0]].dims):  # else it goes through a pointer
            yield node


def _declared(source: bytes, body: Node) -> Iterator[str]:
    for declaration in below(body, "declaration"):
        for declarator in declaration.children_by_field_name("declarator"):
            if (name := declared_name(declarator)) is not None:
                yield text_of(source, name)


def _variable(source: bytes, node: Node) -> tuple[str, int] | None:
    """The variable of which a part is meant, and how many indices stand behind it."""
    indices = 0
    while node.type != "identifier":
        inner = node.child_by_field_name("argument")
        if node.type == "parenthesized_expression":
            inner = node.named_children[0]
        elif node.type == "subscript_expression":
            indices += 1
        elif node.type == "field_expression" and indices == 0 and b"->" not in (node.text or b""):
            pass
        else:
            return None
        if inner is None:
            return None
        node = inner
    return text_of(source, node), indices
