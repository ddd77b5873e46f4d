# SPDX-License-Identifier: MIT
"""Source errors that every CUDA compiler finds, before the source is compiled."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.emulator.compile.constant_memory import stores_to_constants
from threadloom.backends.emulator.compile.unsupported_features import first_per_line
from threadloom.backends.source import ParsedSource, Qualifier
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.signature import parameters
from threadloom.backends.source.syntax import declared_name, first_below, line_of, text_of, walk
from threadloom.model.message import NOTHING, Message, _
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity


def source_errors(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Errors in device code, whichever kernel is to run."""
    host = {code.name.rpartition("::")[2] for code in parsed.host if code.name}
    host -= set(parsed.functions)
    mentioned = set().union(*(f.calls for f in parsed.definitions))
    found = [d for function in parsed.definitions for d in _wrong_calls(parsed, function, host)]
    found += [_undefined(name, line) for name, line in parsed.promised if name in mentioned]
    kernels = [f for f in parsed.definitions if f.qualifier is Qualifier.GLOBAL]
    found += [
        d for kernel in kernels for d in (*_results(parsed, kernel), *_references(parsed, kernel))
    ]
    return first_per_line([*found, *stores_to_constants(parsed)])


def _wrong_calls(parsed: ParsedSource, function: Function, host: set[str]) -> Iterator[Diagnostic]:
    for node in walk(function.body):
        name = text_of(parsed.source, node) if _called(node) else ""
        if name and (text := _wrong_call(parsed, node, name, host)):
            column = node.start_point.column + 1
            yield Diagnostic(Severity.ERROR, text.format(name=name), line_of(node), column)


def _wrong_call(parsed: ParsedSource, node: Node, name: str, host: set[str]) -> Message:
    """A call of a host function, or of a kernel without ``<<<…>>>``."""
    if name in host:
        return _(
            'The host function "{name}" is called from device code. Write __device__ before it.'
        )
    beside = node.parent.children if node.parent is not None else []
    configured = any(child.type == "kernel_call_syntax" for child in beside)
    if parsed.kernel(name) is not None and not configured:
        return _('The kernel "{name}" is called like a function. Make it a __device__ function.')
    return NOTHING


def _called(node: Node) -> bool:
    """Whether a function is called by this name, or a member."""
    within = node.parent
    if node.type == "field_identifier" and within is not None:
        node, within = within, within.parent
    elif node.type != "identifier":
        return False
    return within is not None and within.type == "call_expression"


def _undefined(name: str, line: int) -> Diagnostic:
    message = _('The function "{name}" is declared for the device but never defined.')
    return Diagnostic(Severity.ERROR, message.format(name=name), line)


def _results(parsed: ParsedSource, kernel: Function) -> Iterator[Diagnostic]:
    kind = kernel.whole.child_by_field_name("type")
    if kind is not None and text_of(parsed.source, kind) not in ("void", "auto"):
        message = _("A __global__ function must have a void return type.")
        yield Diagnostic(Severity.ERROR, message, kernel.line)


def _references(parsed: ParsedSource, kernel: Function) -> Iterator[Diagnostic]:
    """Parameters by reference: the host's address would mean nothing on the device."""
    message = _("Parameter {name} is a reference; a kernel gets a value or a pointer.")
    for node in parameters(kernel.whole):
        reference = first_below(node, "reference_declarator")
        if reference is not None:
            name = declared_name(reference)
            written = text_of(parsed.source, name) if name is not None else ""
            yield Diagnostic(Severity.ERROR, message.format(name=written), line_of(node), 1)
