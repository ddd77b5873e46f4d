# SPDX-License-Identifier: MIT
"""Unsupported features, by name and line, before the source is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tree_sitter import Node

from threadloom.backends.emulator.compile.unsupported_names import kind_of, of_cuda_namespace
from threadloom.backends.source import ParsedSource, device_libraries
from threadloom.backends.source.parsed import Function, HostCode
from threadloom.backends.source.syntax import below, line_of, text_of, walk
from threadloom.model.message import Message, _
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity

_WORDS = ("identifier", "type_identifier", "namespace_identifier")
_BARE = re.compile(
    r"\b(?:asm|__asm__?|__builtin_(?!(?:expect|assume|assume_aligned|unreachable)\b)\w+)\b"
)


def unsupported_features(parsed: ParsedSource, entry: str) -> tuple[Diagnostic, ...]:
    """Errors for unsupported features that a kernel uses, directly or in what it calls."""
    reached = parsed.reached(entry)
    functions = [f for f in parsed.definitions if f.name in reached]
    found = [d for function in functions for d in _of_function(parsed, function)]
    return first_per_line([*found, *_macros(parsed, functions)])


def emulation_warnings(parsed: ParsedSource) -> tuple[Diagnostic, ...]:
    """Why a source may be right although the emulator's compiler rejects it."""
    message = _("{header} is not emulated.")
    libraries = (
        Diagnostic(Severity.ERROR, message.format(header=name), line, 1)
        for name, line in device_libraries(parsed)
    )
    return (*libraries, *_namesakes(parsed))


def without_unsupported(parsed: ParsedSource, entry: str) -> ParsedSource:
    """The source without unsupported functions that the kernel does not call.

    So one kernel of a file runs, whatever the next one asks for.
    """
    reached = parsed.reached(entry)
    others = [function for function in parsed.definitions if function.name not in reached]
    rejected = {f.name for f in others if any(_of_function(parsed, f)) or _macros(parsed, [f])}
    nodes = [f.whole for f in others if rejected & parsed.reached(f.name)]
    nodes += [item.node for item in parsed.optional if _unsupported(parsed, item.node)]
    nodes += [node for node in _defines(parsed) if _BARE.search(_field(parsed, node, "value"))]
    code = tuple(_left_out(node) for node in nodes)
    kept = tuple(function for function in parsed.definitions if function.whole not in nodes)
    return replace(parsed, host=(*parsed.host, *code), definitions=kept) if code else parsed


def _left_out(node: Node) -> HostCode:
    outer = node.parent
    whole = outer if outer is not None and outer.type == "template_declaration" else node
    return HostCode("", line_of(whole), whole.end_point.row + 1, whole.start_byte, whole.end_byte)


def _of_function(parsed: ParsedSource, function: Function) -> Iterator[Diagnostic]:
    aliases = _aliases(parsed)
    for node in walk(function.whole):
        message = _message(parsed, node)
        if message is None and node.type in _WORDS:
            message = aliases.get(text_of(parsed.source, node))
        if message is not None:
            column = node.start_point.column + 1
            yield Diagnostic(Severity.ERROR, message, line_of(node), column)


def _namesakes(parsed: ParsedSource) -> Iterator[Diagnostic]:
    """Kernels that share a name; only the caller's types select one."""
    text = _("Two kernels are named {name}, in lines {first} and {line}. Rename one.")
    seen: dict[tuple[str, str], int] = {}
    for kernel in parsed.kernels:
        first = seen.setdefault((kernel.scope, kernel.name), kernel.line)
        if first != kernel.line:
            message = text.format(name=kernel.name, first=first, line=kernel.line)
            yield Diagnostic(Severity.ERROR, message, kernel.line)


def _message(parsed: ParsedSource, node: Node) -> Message | None:
    if node.type == "gnu_asm_expression":
        return _("Inline assembly (PTX) does not run in the emulator.")
    if node.type == "kernel_call_syntax":
        return _("Launching a kernel from a kernel (dynamic parallelism) is not emulated.")
    if node.type in ("new_expression", "delete_expression") and not _is_placement(parsed, node):
        return _("Device-side new and delete are not emulated.")
    if node.type == "qualified_identifier":
        return _not_emulated(*of_cuda_namespace(text_of(parsed.source, node)))
    return _unsupported_name(parsed, node) if node.type in _WORDS else None


def _called(node: Node) -> bool:
    call = node.parent
    if call is None or call.type != "call_expression":
        return False
    return call.child_by_field_name("function") == node


def _unsupported_name(parsed: ParsedSource, node: Node) -> Message | None:
    name = text_of(parsed.source, node)
    return None if name in parsed.functions else _not_emulated(name, _kind(parsed, node))


def _kind(parsed: ParsedSource, node: Node) -> str:
    return kind_of(text_of(parsed.source, node), "call" if _called(node) else node.type)


def _not_emulated(name: str, what: str) -> Message | None:
    return _("{name} is not emulated ({what}).").format(name=name, what=_(what)) if what else None


def _is_placement(parsed: ParsedSource, node: Node) -> bool:
    """Whether it is ``new (place) T``, which needs no memory."""
    return node.child_by_field_name("placement") is not None


def _aliases(parsed: ParsedSource) -> dict[str, Message]:
    """What is said of each type that stands for something unsupported."""
    found = {}
    for item in parsed.optional:
        if message := _unsupported(parsed, item.node):
            found.update(dict.fromkeys(item.names, message))
    return found


def _unsupported(parsed: ParsedSource, node: Node) -> Message | None:
    """What is said of the first unsupported name in a declaration, but for host code in it."""
    host = [(code.start_byte, code.end_byte) for code in parsed.host]
    for found in below(node, *_WORDS, "qualified_identifier"):
        if any(start <= found.start_byte < end for start, end in host):
            continue
        if message := _message(parsed, found):
            return message
    return None


def _macros(parsed: ParsedSource, functions: list[Function]) -> list[Diagnostic]:
    """Macros with assembly that the functions use, directly or through others."""
    nodes = _defines(parsed)
    bodies = {_field(parsed, node, "name"): _field(parsed, node, "value") for node in nodes}
    used = set().union(*(f.calls for f in functions))
    for _round in bodies:
        used |= {w for name in used & bodies.keys() for w in re.findall(r"\w+", bodies[name])}
    message = _("A macro with inline assembly or compiler built-ins is not emulated.")
    given = [text for text in parsed.macros.values() if _BARE.search(text)]
    found = [Diagnostic(Severity.ERROR, message) for _text in given]
    for node in nodes:
        if _field(parsed, node, "name") in used and _BARE.search(_field(parsed, node, "value")):
            found.append(Diagnostic(Severity.ERROR, message, line_of(node), 1))
    return found


def _defines(parsed: ParsedSource) -> list[Node]:
    kinds = ("preproc_def", "preproc_function_def")
    return list(below(parsed.root, *kinds)) if parsed.root is not None else []


def _field(parsed: ParsedSource, node: Node, name: str) -> str:
    child = node.child_by_field_name(name)
    return text_of(parsed.source, child) if child is not None else ""


def first_per_line(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Without what follows on a line that has an error already."""
    kept: dict[int | None, Diagnostic] = {}
    for diagnostic in found:
        kept.setdefault(diagnostic.line, diagnostic)
    return tuple(kept.values())
