# SPDX-License-Identifier: MIT
"""Host functions that do what only device code can; nvcc looks at them, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source import ParsedSource, Qualifier
from threadloom.backends.source.syntax import below, line_of, text_of
from threadloom.model.finding import Control, Edit, Finding, Fix, Verdict, Where
from threadloom.model.message import _
from threadloom.model.severity import Severity

_OF_DEVICE = re.compile(
    r"__sync(?:threads|warp)\w*|__shfl_\w+|__threadfence\w*|__ballot_sync|__ldg|atomic[A-Z]\w*"
)
"""Functions that CUDA has for the device only."""


def refused_host_code(parsed: ParsedSource) -> Iterator[Finding]:
    """Calls of device functions, and of kernels without ``<<<…>>>``, in host code."""
    if parsed.root is None:
        return
    for code in parsed.host:
        node = parsed.root.descendant_for_byte_range(code.start_byte, max(code.end_byte - 1, 0))
        if code.name and node is not None and node.type != "template_declaration":
            yield from _first(parsed, code.name, node)


def _first(parsed: ParsedSource, caller: str, node: Node) -> Iterator[Finding]:
    for call in below(node, "call_expression"):
        function = call.child_by_field_name("function")
        name = text_of(parsed.source, function) if function is not None else ""
        configured = any(child.type == "kernel_call_syntax" for child in call.children)
        if not configured and (what := _what(parsed, name)):
            yield _finding(parsed, caller, name, what, line_of(call))
            return


def _what(parsed: ParsedSource, name: str) -> str:
    """Why host code cannot call it; empty if it can."""
    function = parsed.functions.get(name)
    if function is None:
        return "device" if _OF_DEVICE.fullmatch(name) else ""
    if function.qualifier is Qualifier.GLOBAL:
        return "kernel"
    return "" if "__host__" in function.words else "device"


def _finding(parsed: ParsedSource, caller: str, name: str, what: str, line: int) -> Finding:
    text = _("Line {line}: host function {caller} calls the device function {name}")
    detail = _("Mark {caller} `__device__`, or remove it from the source.")
    if what == "kernel":
        text = _("Line {line}: {caller} calls the kernel {name} without `<<<grid, block>>>`")
        detail = _("Launch it from Python, or with `<<<grid, block>>>`.")
    return Finding(
        kind="host-calls-device",
        severity=Severity.ERROR,
        message=text.format(line=line, caller=caller, name=name),
        detail=detail.format(caller=caller),
        where=Where(line=line),
        numbers={"caller": caller, "name": name},
        fixes=tuple(_as_device(parsed, caller)) if what == "device" else (),
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )


def _as_device(parsed: ParsedSource, caller: str) -> Iterator[Fix]:
    for code in parsed.host:
        if code.name == caller:
            before = parsed.source[: code.start_byte].rpartition(b"\n")[2].decode(errors="replace")
            at = len(before) + 1
            yield Fix(
                _("Mark it `__device__`"), edit=Edit(code.line, at, code.line, at, "__device__ ")
            )
