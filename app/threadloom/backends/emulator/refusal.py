# SPDX-License-Identifier: MIT
"""What the emulator does not run, said by name and line before the compiler sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from threadloom.backends.emulator.constant_memory import stores_to_constants
from threadloom.backends.source import ParsedSource, device_libraries
from threadloom.backends.source.signature import parameters
from threadloom.backends.source.syntax import (
    below,
    declared_name,
    first_below,
    line_of,
    text_of,
    walk,
)
from threadloom.model.program import Diagnostic, Severity
from threadloom.text import _

_NAMES = {
    "textures": re.compile(r"^(?:tex[123]D\w*|texCubemap\w*|texture|cudaTextureObject_t)$"),
    "surfaces": re.compile(r"^(?:surf[123]D\w*|surface|cudaSurfaceObject_t)$"),
    "tensor-core functions": re.compile(r"^(?:wmma|nvcuda|mma_sync|load_matrix_sync)$"),
    "device-side allocation": re.compile(r"^(?:malloc|free|alloca)$"),
    "compiler built-ins": re.compile(
        r"^(?:__builtin_(?!(?:expect|assume|assume_aligned)$)\w+"
        r"|__sync_\w+|__atomic_\w+|__asm__?|asm)$"
    ),
    "CUDA runtime calls": re.compile(r"^cuda[A-Z]\w*$"),
}
_FORBIDDEN = re.compile(r"\b(?:asm|__asm__?|__builtin_(?!(?:expect|assume|assume_aligned)\b)\w+)\b")
_WORDS = ("identifier", "type_identifier", "namespace_identifier")


def wrong_code(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Errors that every compiler finds, worded by name and line."""
    host = {code.name for code in parsed.host if code.name} - set(parsed.functions)
    mentioned = set().union(*(f.calls for f in parsed.functions.values()))
    found = _in_bodies(parsed, lambda node: _wrong_call(parsed, node, host))
    found += [_undefined(name, line) for name, line in parsed.promised if name in mentioned]
    found += [*_references(parsed), *stores_to_constants(parsed)]
    return tuple(_first_per_line(found))


def refusals(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Errors for what device code asks for and the emulator does not have."""
    found = _in_bodies(parsed, lambda node: _refusal(parsed, node))
    found += _macros(parsed)
    return tuple(_first_per_line(found))


def doubts(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Why a source may be right although the emulator's compiler refused it."""
    message = _("What {header} declares is not emulated.")
    libraries = (
        Diagnostic(Severity.ERROR, message.format(header=name), line, 1)
        for name, line in device_libraries(parsed)
    )
    return (*libraries, *_namesakes(parsed))


def _in_bodies(parsed: ParsedSource, asked: Callable[[Node], str | None]) -> list[Diagnostic]:
    """What is said of the nodes of all device code."""
    return [
        Diagnostic(Severity.ERROR, message, line_of(node), node.start_point.column + 1)
        for function in parsed.functions.values()
        for node in walk(function.body)
        if (message := asked(node)) is not None
    ]


def _wrong_call(parsed: ParsedSource, node: Node, host: set[str]) -> str | None:
    """A call of a host function, or of a kernel without ``<<<…>>>``."""
    if node.type != "identifier" or node.parent is None or node.parent.type != "call_expression":
        return None
    name = text_of(parsed.source, node)
    if name in host:
        text = _(
            'The host function "{name}" is called from device code. Write __device__ before it.'
        )
        return text.format(name=name)
    configured = any(child.type == "kernel_call_syntax" for child in node.parent.children)
    if parsed.kernel(name) is not None and not configured:
        text = _('The kernel "{name}" is called like a function. Make it a __device__ function.')
        return text.format(name=name)
    return None


def _references(parsed: ParsedSource) -> list[Diagnostic]:
    """Parameters by reference: the host's address would mean nothing on the device."""
    message = _("Parameter {name} is a reference; a kernel gets a value or a pointer.")
    found = []
    for kernel in parsed.kernels:
        function = parsed.functions.get(kernel.name)
        head = function.body.parent if function is not None else None
        for node in parameters(head) if head is not None else ():
            reference = first_below(node, "reference_declarator")
            if reference is not None:
                name = declared_name(reference)
                written = text_of(parsed.source, name) if name is not None else ""
                found.append(
                    Diagnostic(Severity.ERROR, message.format(name=written), line_of(node), 1)
                )
    return found


def _namesakes(parsed: ParsedSource) -> Iterator[Diagnostic]:
    """Kernels that share a name; the caller's types would tell which one is meant."""
    text = _("There are two kernels {name}, in lines {first} and {line}: give them two names.")
    seen: dict[str, int] = {}
    for kernel in parsed.kernels:
        first = seen.setdefault(kernel.name, kernel.line)
        if first != kernel.line:
            message = text.format(name=kernel.name, first=first, line=kernel.line)
            yield Diagnostic(Severity.ERROR, message, kernel.line)


def _refusal(parsed: ParsedSource, node: Node) -> str | None:
    if node.type == "gnu_asm_expression":
        return _("Inline assembly (PTX) does not run in the emulator.")
    if node.type == "kernel_call_syntax":
        return _("Launching a kernel from a kernel (dynamic parallelism) is not emulated.")
    if node.type in ("new_expression", "delete_expression"):
        return _("Device-side new and delete are not emulated.")
    if node.type not in _WORDS:
        return None
    name = text_of(parsed.source, node)
    for what, pattern in _NAMES.items():
        if pattern.match(name):
            return _("{name} is not emulated ({what}).").format(name=name, what=_(what))
    return None


def _undefined(name: str, line: int) -> Diagnostic:
    message = _('The function "{name}" is declared for the device but never defined.')
    return Diagnostic(Severity.ERROR, message.format(name=name), line)


def _macros(parsed: ParsedSource) -> list[Diagnostic]:
    written: list[tuple[str, int | None]] = [(value, None) for value in parsed.macros.values()]
    nodes = below(parsed.root, "preproc_def", "preproc_function_def") if parsed.root else ()
    for node in nodes:
        if (value := node.child_by_field_name("value")) is not None:
            written.append((text_of(parsed.source, value), line_of(node)))
    message = _("A macro with inline assembly or compiler built-ins is not emulated.")
    return [
        Diagnostic(Severity.ERROR, message, line, line and 1)
        for text, line in written
        if _FORBIDDEN.search(text)
    ]


def _first_per_line(found: list[Diagnostic]) -> list[Diagnostic]:
    kept: dict[int | None, Diagnostic] = {}
    for diagnostic in found:
        kept.setdefault(diagnostic.line, diagnostic)
    return list(kept.values())
