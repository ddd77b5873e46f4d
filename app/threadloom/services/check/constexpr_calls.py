# SPDX-License-Identifier: MIT
"""Host functions that are constexpr: a kernel may use them where the compiler computes them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, line_of, text_of
from threadloom.model.finding import Edit, Finding, Fix, Where
from threadloom.model.program import Severity
from threadloom.services.check.case import Case
from threadloom.text import _

RELAXED = {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"}
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
    of_host = {name: f for name, f in parsed.functions.items() if _is_of_host(f)}
    for function in parsed.functions.values():
        for call in () if _is_of_host(function) else below(function.body, "call_expression"):
            called = call.child_by_field_name("function")
            name = text_of(parsed.source, called) if called is not None else ""
            if name in of_host and not _is_computed(parsed, call, function.body):
                yield _finding(parsed, of_host[name], function.name, line_of(call))
                return


def _is_of_host(function: Function) -> bool:
    return not function.words & {"__global__", "__device__"}


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


def _finding(parsed: ParsedSource, called: Function, caller: str, line: int) -> Finding:
    text = _("Line {line}: {caller} calls {name}, which is constexpr, but a host function.")
    place = called.body.parent or called.body
    before = parsed.source[: place.start_byte].rpartition(b"\n")[2].decode(errors="replace")
    at, first = len(before) + 1, line_of(place)
    return Finding(
        kind="host-constexpr",
        severity=Severity.ERROR,
        message=text.format(line=line, caller=caller, name=called.name),
        detail=_("Mark it __device__, or pass options=['--expt-relaxed-constexpr']."),
        where=Where(line=line),
        numbers={"caller": caller, "name": called.name},
        fixes=(Fix(_("Mark it __device__"), edit=Edit(first, at, first, at, "__device__ ")),),
        verdict="compile-error",
        control="source",
    )
