# SPDX-License-Identifier: MIT
"""What the emulator does not run, said by name and line before the compiler sees it."""

from __future__ import annotations

import re

from tree_sitter import Node

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.syntax import below, line_of, text_of, walk
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


def refusals(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Errors for what device code asks for and the emulator does not have."""
    host = {code.name for code in parsed.host if code.name}
    defined = set(parsed.functions)
    mentioned = set().union(*(f.calls for f in parsed.functions.values()))
    found: list[Diagnostic] = []
    for function in parsed.functions.values():
        for node in walk(function.body):
            if (message := _refusal(parsed, node, host - defined)) is not None:
                place = node.start_point
                found.append(Diagnostic(Severity.ERROR, message, line_of(node), place.column + 1))
    found += [_undefined(name, line) for name, line in parsed.promised if name in mentioned]
    found += _macros(parsed)
    return tuple(_first_per_line(found))


def _refusal(parsed: ParsedSource, node: Node, host: set[str]) -> str | None:
    if node.type == "gnu_asm_expression":
        return _("Inline assembly (PTX) does not run in the emulator.")
    if node.type == "kernel_call_syntax":
        return _("Launching a kernel from a kernel (dynamic parallelism) is not emulated.")
    if node.type in ("new_expression", "delete_expression"):
        return _("Device-side new and delete are not emulated.")
    if node.type not in _WORDS:
        return None
    name = text_of(parsed.source, node)
    if name in host and node.parent is not None and node.parent.type == "call_expression":
        return _(
            'The host function "{name}" is called from device code. Write __device__ before it.'
        ).format(name=name)
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
