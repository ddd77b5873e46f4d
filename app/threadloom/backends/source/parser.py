# SPDX-License-Identifier: MIT
"""One pass over a source text. It never raises: half-typed text is normal while a person types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from threadloom.backends.source.parsed import (
    Function,
    GlobalVariable,
    HostCode,
    ParsedSource,
    Qualifier,
    SharedDeclaration,
)
from threadloom.backends.source.signature import parameters, signature_of
from threadloom.backends.source.syntax import (
    below,
    declared_name,
    first_below,
    line_of,
    syntax_tree,
    text_of,
    words_before_declarator,
)
from threadloom.model.program import Diagnostic, Severity, Signature
from threadloom.text import _

_CONTAINERS = {
    "translation_unit",
    "linkage_specification",
    "declaration_list",
    "namespace_definition",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
}
_KEPT_VARIABLES = {"__constant__", "__device__", "__shared__", "const", "constexpr"}
_HARMLESS = re.compile(r"#\s*(?:pragma\s+(?:unroll|nounroll|once)|undef|error|warning)\b")


def parse(text: str, macros: Mapping[str, str] | None = None) -> ParsedSource:
    """Read a source text, complete or not; ``macros`` are those of the command line."""
    source = text.encode()
    root = syntax_tree(source).root_node
    reading = _Reading(source)
    reading.defines = {**(macros or {}), **_defines(source, root)}
    reading.container(root)
    return ParsedSource(
        text=text,
        kernels=tuple(_with_shared(kernel, reading) for kernel in reading.kernels),
        device_functions=tuple(
            f.name for f in reading.functions.values() if f.qualifier is Qualifier.DEVICE
        ),
        functions=reading.functions,
        shared=tuple(reading.shared),
        host=tuple(reading.host),
        defines=reading.defines,
        promised=tuple(p for p in reading.promised if p[0] not in reading.functions),
        globals=tuple(reading.globals),
        diagnostics=_notes(reading.host),
        macros=dict(macros or {}),
        source=source,
        root=root,
    )


@dataclass(slots=True)
class _Reading:
    """What has been found so far."""

    source: bytes
    kernels: list[Signature] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)
    shared: list[SharedDeclaration] = field(default_factory=list)
    host: list[HostCode] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    promised: list[tuple[str, int]] = field(default_factory=list)
    globals: list[GlobalVariable] = field(default_factory=list)

    def container(self, node: Node) -> None:
        for child in self.compiled_children(node):
            if child.type in _CONTAINERS or child.type == "ERROR":
                self.container(child)
            else:
                self.item(child, whole=child, template=False)

    def compiled_children(self, node: Node) -> list[Node]:
        """Without what ``#if 0`` leaves out, and what ``#else`` of ``#if 1`` does."""
        condition = node.child_by_field_name("condition") if node.type == "preproc_if" else None
        other = node.child_by_field_name("alternative")
        written = text_of(self.source, condition).strip() if condition is not None else ""
        if written == "0":
            return [] if other is None else [other]
        return [c for c in node.children if written != "1" or c != other]

    def item(self, node: Node, whole: Node, template: bool) -> None:
        if node.type == "template_declaration":
            for child in node.named_children:
                self.item(child, whole, template=True)
        elif node.type == "function_definition":
            self.function(node, whole, template)
        elif node.type == "declaration":
            self.declaration(node, whole)
        elif self.only_for_hosts(node):
            self.leave_out(whole, "")

    def only_for_hosts(self, node: Node) -> bool:
        if node.type == "preproc_call":
            return not _HARMLESS.match(text_of(self.source, node))
        if node.type == "using_declaration":
            return "std" in text_of(self.source, node)
        return node.type in ("preproc_include", "expression_statement")

    def function(self, node: Node, whole: Node, template: bool) -> None:
        declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
        name = declared_name(declarator) if declarator is not None else None
        if name is None or body is None:
            return
        words = self.spelt_out(words_before_declarator(self.source, node))
        # Device code may use what a host function computes while compiling.
        if not words & {Qualifier.GLOBAL, Qualifier.DEVICE, "constexpr"}:
            self.leave_out(whole, text_of(self.source, name))
            return
        is_kernel = Qualifier.GLOBAL in words
        title = self.named(text_of(self.source, name))
        if is_kernel:
            kernel = signature_of(self.source, node, name, self.defines, template)
            self.kernels.append(replace(kernel, name=title))
        names = [declared_name(p) for p in parameters(node)]
        self.functions[title] = Function(
            name=title,
            qualifier=Qualifier.GLOBAL if is_kernel else Qualifier.DEVICE,
            line=line_of(name),
            parameters=tuple(text_of(self.source, n) for n in names if n is not None),
            calls=frozenset(text_of(self.source, n) for n in below(body, "identifier")),
            body=body,
            words=frozenset(words),
        )
        for inner in below(body, "declaration"):
            if "__shared__" in words_before_declarator(self.source, inner):
                self.shared_variables(inner, title)

    def named(self, name: str) -> str:
        """The name that a macro stands for, if it is one; else the name itself."""
        value = self.defines.get(name, "").strip()
        return value if re.fullmatch(r"[A-Za-z_]\w*", value) else name

    def spelt_out(self, words: set[str]) -> set[str]:
        """With the words that macros among them stand for, such as ``#define HD __device__``."""
        known, new = set(words), set(words)
        while new:
            meant = {w for name in new for w in re.findall(r"\w+", self.defines.get(name, ""))}
            new = meant - known
            known |= new
        return known - ({"__shared__"} - words)

    def declaration(self, node: Node, whole: Node) -> None:
        words = self.spelt_out(words_before_declarator(self.source, node))
        declarators = node.children_by_field_name("declarator")
        heads = [h for d in declarators if (h := first_below(d, "function_declarator")) is not None]
        if heads and not words & _KEPT_VARIABLES - {"__device__", "const"}:
            self.prototypes(heads, words, whole)
            return
        if "__shared__" in words:
            self.shared_variables(node, "")
        elif words & {"__constant__", "__device__"}:
            self.global_variables(node, words)
        elif not words & _KEPT_VARIABLES and declarators:
            self.leave_out(whole, "")

    def prototypes(self, heads: list[Node], words: set[str], whole: Node) -> None:
        if not words & {Qualifier.GLOBAL, Qualifier.DEVICE}:
            self.leave_out(whole, "")
            return
        names = [name for head in heads if (name := declared_name(head)) is not None]
        self.promised += [(text_of(self.source, name), line_of(name)) for name in names]

    def global_variables(self, node: Node, words: set[str]) -> None:
        """Those with a place of their own: no values at compile time, no pointers to code."""
        elsewhere = words & {"constexpr", "extern"} or node.has_error
        if elsewhere or first_below(node, "function_declarator") is not None:
            return
        kind = node.child_by_field_name("type")
        for child in node.children_by_field_name("declarator"):
            value = child.type == "init_declarator"
            declarator = child.child_by_field_name("declarator") if value else child
            name = declared_name(child)
            if declarator is None or name is None:
                continue
            self.globals.append(
                GlobalVariable(
                    name=text_of(self.source, name),
                    type=text_of(self.source, kind) if kind is not None else "",
                    dims=_extents(self.source, declarator),
                    line=line_of(name),
                    constant="__constant__" in words,
                    const="const" in words,
                    number=len(self.globals),
                    declaration=node,
                    declarator=declarator,
                )
            )

    def shared_variables(self, node: Node, function: str) -> None:
        kind = node.child_by_field_name("type")
        words = words_before_declarator(self.source, node)
        for declarator in node.children_by_field_name("declarator"):
            name = declared_name(declarator)
            if name is None or node.has_error:
                continue
            self.shared.append(
                SharedDeclaration(
                    name=text_of(self.source, name),
                    type=text_of(self.source, kind) if kind is not None else "",
                    dims=_extents(self.source, declarator),
                    line=line_of(name),
                    dynamic="extern" in words,
                    function=function,
                    number=len(self.shared),
                    declaration=node,
                    identifier=name,
                )
            )

    def leave_out(self, node: Node, name: str) -> None:
        if node.has_error and not name:
            return  # the compiler's message on it is worth more
        end = node.end_point.row + (1 if node.end_point.column else 0)
        self.host.append(HostCode(name, line_of(node), end, node.start_byte, node.end_byte))


def _extents(source: bytes, declarator: Node) -> tuple[str, ...]:
    extents: list[str] = []
    node: Node | None = declarator
    while node is not None and node.type in ("array_declarator", "pointer_declarator"):
        size = node.child_by_field_name("size")
        if node.type == "array_declarator":
            extents.append(text_of(source, size) if size is not None else "")
        node = node.child_by_field_name("declarator")
    return tuple(reversed(extents))


def _defines(source: bytes, root: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in below(root, "preproc_def"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            title = text_of(source, name)
            written = text_of(source, value) if value is not None else ""
            found[title] = written or found.get(title, "")  # an #else for other compilers is empty
    return found


def _with_shared(kernel: Signature, reading: _Reading) -> Signature:
    found = ParsedSource(
        "", (), (), reading.functions, tuple(reading.shared), (), {}, (), (), ()
    ).shared_of(kernel.name)
    return replace(kernel, dynamic_shared=any(declaration.dynamic for declaration in found))


def _notes(host: list[HostCode]) -> tuple[Diagnostic, ...]:
    named = [code for code in host if code.name]
    if not named:
        return ()
    names = ", ".join(code.name for code in named)
    message = _("Host code is left out: {names}.").format(names=names)
    return (Diagnostic(Severity.NOTE, message, named[0].line),)
