# SPDX-License-Identifier: MIT
"""Host functions that are constexpr: a kernel may use them where the compiler computes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.syntax import below, line_of, text_of
from threadloom.model.case import Case
from threadloom.model.finding import Control, Edit, Finding, Fix, Verdict, Where
from threadloom.model.message import Message, _
from threadloom.model.severity import Severity

RELAXED = {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"}
_OF_LIBRARY = re.compile(r"std::(?:min|max|minmax|clamp|(?:numeric_limits\s*<[^<>]+>::\w+))")
"""The C++ library's that kernels name most; nvcc 13.0 refuses them wherever they stand."""
_COMPUTED = {
    "array_declarator",
    "template_argument_list",
    "static_assert_declaration",
    "case_statement",
    "enumerator",
}
"""Places whose value the compiler must know (ISO C++, expr.const)."""


def refused_constexpr(case: Case, parsed: ParsedSource) -> Iterator[Finding]:
    """Calls of such functions while the kernel runs, which nvcc takes only with an option."""
    if RELAXED & set(case.flags):
        return
    of_host = dict(_of_host(parsed))
    for function in parsed.functions.values():
        for call in below(function.body, "call_expression"):
            called = call.child_by_field_name("function")
            name = text_of(parsed.source, called) if called is not None else ""
            if _OF_LIBRARY.fullmatch(name):
                yield _of_library(parsed, call, name, function.name)
                return
            if name in of_host and not _is_computed(parsed, call, function.body):
                yield _of_source(parsed, name, of_host[name], function.name, line_of(call))
                return


def _of_host(parsed: ParsedSource) -> Iterator[tuple[str, Node]]:
    """Such functions of the source, by name."""
    for item in parsed.optional:
        for node in (item.node, *item.node.children):
            if node.type == "function_definition":
                yield item.names[0], node


def _is_computed(parsed: ParsedSource, call: Node, body: Node) -> bool:
    """Whether the compiler needs the value."""
    node: Node | None = call
    while node is not None and node != body:
        if node.type in _COMPUTED:
            return True
        if node.type == "declaration" and "constexpr" in text_of(parsed.source, node).split():
            return True
        node = node.parent
    return False


def _of_source(parsed: ParsedSource, name: str, place: Node, caller: str, line: int) -> Finding:
    before = parsed.source[: place.start_byte].rpartition(b"\n")[2].decode(errors="replace")
    at, first = len(before) + 1, line_of(place)
    fix = Fix(_("Mark it `__device__`"), edit=Edit(first, at, first, at, "__device__ "))
    detail = _("Mark it `__device__`, or pass `options=['--expt-relaxed-constexpr']`.")
    return _finding(name, caller, line, detail, fix)


def _of_library(parsed: ParsedSource, call: Node, name: str, caller: str) -> Finding:
    """CUDA has ``min`` and ``max`` of its own, without the namespace."""
    detail = _("Pass `options=['--expt-relaxed-constexpr']`.")
    plain, line = name.removeprefix("std::"), line_of(call)
    if plain not in {"min", "max"}:
        return _finding(name, caller, line, detail)
    before = parsed.source[: call.start_byte].rpartition(b"\n")[2].decode(errors="replace")
    at = len(before) + 1
    edit = Edit(line, at, line, at + len("std::"), "")
    fix = Fix(_("Write `{line}`").format(line=plain), edit=edit)
    detail = _("Write `{name}`, or pass `options=['--expt-relaxed-constexpr']`.")
    return _finding(name, caller, line, detail.format(name=plain), fix)


def _finding(name: str, caller: str, line: int, detail: Message, *fixes: Fix) -> Finding:
    text = _("Line {line}: {caller} calls the constexpr host function {name}")
    return Finding(
        kind="host-constexpr",
        severity=Severity.ERROR,
        message=text.format(line=line, caller=caller, name=name),
        detail=detail,
        where=Where(line=line),
        numbers={"caller": caller, "name": name},
        fixes=fixes,
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )
