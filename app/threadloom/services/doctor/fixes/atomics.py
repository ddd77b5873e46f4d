# SPDX-License-Identifier: MIT
"""Sums that several threads add to, written with atomics. Whether it helps is to be tried."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source.syntax import line_of, text_of, walk
from threadloom.model.finding import Finding, Fix
from threadloom.model.message import _
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.fixes.edits import parsed_kernel, replacement

_PLACES = {"subscript_expression", "pointer_expression"}


def atomic_fixes(context: DiagnosticContext, finding: Finding) -> Iterator[Fix]:
    """``atomicAdd`` instead of a sum whose value nobody uses, on the lines of a race."""
    found = parsed_kernel(context)
    lines = {finding.where.line, finding.numbers.get("line"), finding.numbers.get("other_line")}
    if found is None:
        return
    parsed, function = found
    for statement in walk(function.body):
        if statement.type != "expression_statement" or line_of(statement) not in lines:
            continue
        node = statement.named_children[0] if statement.named_children else None
        call = _call(parsed.source, node) if node is not None else None
        if node is not None and call is not None:
            title = _("Use `atomicAdd` in line {line}").format(line=line_of(node))
            edit = replacement(parsed.source, node.start_byte, node.end_byte, call)
            yield Fix(title, edit=edit)


def _call(source: bytes, node: Node) -> str | None:
    """The call for ``x[i] += v``, ``x[i] = x[i] + v``, ``x[i]++`` and their like."""
    place = node.child_by_field_name("argument") or node.child_by_field_name("left")
    sign = node.child_by_field_name("operator")
    if place is None or sign is None or place.type not in _PLACES:
        return None
    value = node.child_by_field_name("right")
    match node.type, text_of(source, sign).strip():
        case "update_expression", "++":
            return _added(source, place, "1")
        case "update_expression", "--":
            return _added(source, place, "-1")
        case "assignment_expression", "+=" if value is not None:
            return _added(source, place, text_of(source, value).strip())
        case "assignment_expression", "-=" if value is not None:
            return _added(source, place, f"-({text_of(source, value).strip()})")
        case "assignment_expression", "=" if value is not None:
            addend = _addend(source, value, text_of(source, place).strip())
            return None if addend is None else _added(source, place, addend)
    return None


def _addend(source: bytes, value: Node, place: str) -> str | None:
    """What is added to the place's own value."""
    sign = value.child_by_field_name("operator")
    sides = [value.child_by_field_name(side) for side in ("left", "right")]
    if value.type != "binary_expression" or sign is None or text_of(source, sign).strip() != "+":
        return None
    texts = [text_of(source, side).strip() if side is not None else "" for side in sides]
    if place not in texts:
        return None
    return texts[1 - texts.index(place)]


def _added(source: bytes, place: Node, value: str) -> str:
    written = text_of(source, place).strip()
    address = written[1:].strip() if written.startswith("*") else f"&{written}"
    return f"atomicAdd({address}, {value})"
