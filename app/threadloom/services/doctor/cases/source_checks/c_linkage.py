# SPDX-License-Identifier: MIT
"""C++ that cannot stand within the ``extern "C" { … }`` that PyCUDA puts around a source."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.syntax import (
    below,
    declared_name,
    first_below,
    line_of,
    text_of,
    walk,
)
from threadloom.model.case import Case
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import Message, _
from threadloom.model.severity import Severity

_OWN_SCOPE = {"function_definition", "class_specifier", "struct_specifier", "lambda_expression"}


def refused_in_c(case: Case, parsed: ParsedSource) -> Iterator[Finding]:
    """The first template, and the first function that overloads another (ISO C++, dcl.link)."""
    if not case.wrapped or parsed.root is None:
        return
    first = first_below(parsed.root, "template_declaration")
    if first is not None:
        yield _template(_name(parsed, first), line_of(first))
    seen: dict[str, tuple[str, int]] = {}
    for name, parameters, line in _functions(parsed, parsed.root):
        before = seen.setdefault(name, (parameters, line))
        if before[0] != parameters:
            yield _overload(name, before[1], line)
            return


def _functions(parsed: ParsedSource, root: Node) -> Iterator[tuple[str, str, int]]:
    """Name, types of the parameters and line of each function outside classes and templates."""
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        if node.type == "function_definition":
            head = first_below(node, "function_declarator")
            name = _name(parsed, node)
            if head is not None and name:
                yield name, _types(parsed, head), line_of(head)
        elif node.type not in {"template_declaration", *_OWN_SCOPE}:
            waiting += node.children


def _types(parsed: ParsedSource, head: Node) -> str:
    """The parameters as written, without their names."""
    found = first_below(head, "parameter_list")
    written = []
    for parameter in found.named_children if found is not None else ():
        declarator = parameter.child_by_field_name("declarator")
        name = declared_name(declarator) if declarator is not None else None
        at = (name.start_byte, name.end_byte) if name is not None else (parameter.end_byte,) * 2
        text = (
            parsed.source[parameter.start_byte : at[0]] + parsed.source[at[1] : parameter.end_byte]
        )
        written.append("".join(text.decode(errors="replace").split()))
    return ",".join(written)


def _name(parsed: ParsedSource, node: Node) -> str:
    """Name of the function or type that a definition defines, operators included."""
    head = first_below(node, "function_declarator")
    if head is None:
        named = next((n for n in walk(node) if n.type == "type_identifier"), None)
        return text_of(parsed.source, named) if named is not None else ""
    operator = next(below(head, "operator_name"), None)
    declarator = operator or declared_name(head)
    return text_of(parsed.source, declarator) if declarator is not None else ""


def _template(name: str, line: int) -> Finding:
    text = _('Line {line}: template {name} inside `extern "C"`')
    return _finding("template-extern-c", text.format(line=line, name=name or "?"), line)


def _overload(name: str, first: int, line: int) -> Finding:
    text = _('Line {line}: {name} is overloaded inside `extern "C"` (also line {first})')
    return _finding("overload-extern-c", text.format(line=line, name=name, first=first), line)


def _finding(kind: str, message: Message, line: int) -> Finding:
    return Finding(
        kind=kind,
        severity=Severity.ERROR,
        message=message,
        detail=_(
            'PyCUDA wraps the source in `extern "C"`. Pass `no_extern_c=True`, and write'
            ' `extern "C"` before kernels that are not templates.'
        ),
        where=Where(line=line),
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )
