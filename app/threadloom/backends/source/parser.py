# SPDX-License-Identifier: MIT
"""One pass over a source text. It never raises: half-typed text is normal while a user types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from threadloom.backends.source.dependencies import template_arguments, unneeded
from threadloom.backends.source.expansion import Expansion, expand
from threadloom.backends.source.parsed import (
    Function,
    GlobalVariable,
    HostCode,
    Optional,
    ParsedSource,
    Qualifier,
    SharedDeclaration,
    by_name,
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
from threadloom.backends.source.variables import global_variables, shared_declarations
from threadloom.model.message import _
from threadloom.model.program import Diagnostic, Signature
from threadloom.model.severity import Severity

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
_TYPES = {"struct_specifier", "class_specifier", "union_specifier"}
_NAMED_TYPES = {"type_definition", "alias_declaration", "namespace_alias_definition"}
_MEMBERS = {"template_declaration", "friend_declaration", "preproc_ifdef", "preproc_if"}
_KEPT_VARIABLES = {"__constant__", "__device__", "__shared__", "__managed__", "const", "constexpr"}
_ON_DEVICE = {"__constant__", "__device__", "__managed__"}
_HARMLESS = re.compile(r"#\s*(?:pragma\s+(?:unroll|nounroll|once)|undef|error|warning)\b")
_OF_LIBRARY = re.compile(r"using\s+(?:namespace\s+)?(?:::)?(?:std|nvcuda|thrust|cub)\b")
_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 (the byte order mark)."""


def parse(text: str, macros: Mapping[str, str] | None = None) -> ParsedSource:
    """Read a source text, complete or not; ``macros`` are those of the command line."""
    expansion = expand(_without_mark(text.encode()), macros or {})
    source = expansion.text
    root = syntax_tree(source).root_node
    reading = _Reading(source, expansion)
    reading.defines = {**(macros or {}), **_defines(source, root)}
    reading.container(root)
    reading.leave_out_unneeded()
    functions = by_name(reading.definitions)
    return ParsedSource(
        text=text,
        kernels=tuple(_with_shared(kernel, reading) for kernel in reading.kernels),
        functions=functions,
        definitions=tuple(reading.definitions),
        shared=tuple(reading.shared),
        host=tuple(sorted(reading.host, key=lambda code: code.start_byte)),
        defines=reading.defines,
        promised=tuple(p for p in reading.promised if p[0] not in functions),
        optional=tuple(reading.optional),
        globals=tuple(reading.globals),
        diagnostics=_notes(reading.host),
        macros=dict(macros or {}),
        source=source,
        root=root,
        expansion=expansion,
    )


def _without_mark(source: bytes) -> bytes:
    return b"   " + source[3:] if source.startswith(_MARK) else source


@dataclass(slots=True)
class _Reading:
    """What has been found so far."""

    source: bytes
    expansion: Expansion
    kernels: list[Signature] = field(default_factory=list)
    definitions: list[Function] = field(default_factory=list)
    shared: list[SharedDeclaration] = field(default_factory=list)
    host: list[HostCode] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    promised: list[tuple[str, int]] = field(default_factory=list)
    globals: list[GlobalVariable] = field(default_factory=list)
    scope: str = ""
    optional: list[Optional] = field(default_factory=list)
    used: list[Node] = field(default_factory=list)
    """Variables of the device: what they mention is needed."""

    def container(self, node: Node) -> None:
        for child in self.compiled_children(node):
            if child.type == "linkage_specification" and (only := _without_braces(child)):
                self.item(only, whole=child, template=False)
            elif child.type == "namespace_definition":
                self.namespace(child)
            elif child.type in _CONTAINERS or child.type == "ERROR":
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

    def namespace(self, node: Node) -> None:
        name, outside = node.child_by_field_name("name"), self.scope
        if name is not None:
            self.scope = "::".join(filter(None, (outside, text_of(self.source, name))))
        self.container(node)
        self.scope = outside

    def item(self, node: Node, whole: Node, template: bool) -> None:
        if node.type == "template_declaration":
            for child in node.named_children:
                self.item(child, whole, template=True)
        elif node.type == "function_definition":
            self.function(node, whole, template)
        elif node.type == "declaration":
            self.declaration(node, whole)
        elif node.type in _TYPES | _NAMED_TYPES:
            self.type(node, whole)
        elif self.only_for_hosts(node):
            self.leave_out(whole, "")

    def only_for_hosts(self, node: Node) -> bool:
        if node.type == "preproc_call":
            return not _HARMLESS.match(text_of(self.source, node))
        if node.type == "using_declaration":
            return _OF_LIBRARY.match(text_of(self.source, node)) is not None
        return node.type in ("preproc_include", "expression_statement")

    # Functions --------------------------------------------------------------------------------

    def function(self, node: Node, whole: Node, template: bool, owner: str = "") -> None:
        declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
        name = declared_name(declarator) if declarator is not None else None
        if name is None or body is None:
            return
        words = words_before_declarator(self.source, node)
        if words & {Qualifier.GLOBAL, Qualifier.DEVICE}:
            if Qualifier.GLOBAL in words:
                found = signature_of(self.source, node, name, self.defines, template, self.scope)
                title = self.named(text_of(self.source, name))
                self.kernels.append(replace(found, name=title))
            self.on_device(node, name, body, owner)
        elif "constexpr" in words and not whole.has_error:
            self.optional.append(Optional((text_of(self.source, name),), whole))
        else:
            self.leave_out(whole, self.title(declarator, name, owner))

    def title(self, declarator: Node | None, name: Node, owner: str) -> str:
        """A function's name, with that of its class."""
        title = text_of(self.source, name)
        within = first_below(declarator, "qualified_identifier") if declarator else None
        if within is not None and within.end_byte == name.end_byte:
            return text_of(self.source, within)
        return f"{owner}::{title}" if owner else title

    def on_device(self, node: Node, name: Node, body: Node, owner: str) -> None:
        is_kernel = Qualifier.GLOBAL in words_before_declarator(self.source, node)
        names = [declared_name(p) for p in parameters(node)]
        title = self.named(text_of(self.source, name))
        found = Function(
            name=title,
            qualifier=Qualifier.GLOBAL if is_kernel else Qualifier.DEVICE,
            line=line_of(name),
            parameters=tuple(text_of(self.source, n) for n in names if n is not None),
            calls=frozenset(self.mentions(body)),
            owner=owner,
            written=not self.expansion.overlaps(body.start_byte, body.end_byte),
            body=body,
            whole=node,
            words=frozenset(words_before_declarator(self.source, node)),
        )
        self.definitions.append(found)
        for inner in below(body, "declaration"):
            if "__shared__" in words_before_declarator(self.source, inner):
                self.shared_variables(inner, title)

    def named(self, name: str) -> str:
        """The name that a macro stands for, if it is one; else the name itself."""
        value = self.defines.get(name, "").strip()
        return value if re.fullmatch(r"[A-Za-z_]\w*", value) else name

    def mentions(self, body: Node) -> set[str]:
        """Names of functions and variables, and of the types whose members may run."""
        kinds = ("identifier", "type_identifier", "field_identifier")
        return {text_of(self.source, node) for node in below(body, *kinds)}

    # Types and variables ----------------------------------------------------------------------

    def type(self, node: Node, whole: Node) -> None:
        body = node.child_by_field_name("body")
        inner = node.child_by_field_name("type")
        if body is None and inner is not None and inner.type in _TYPES:
            body = inner.child_by_field_name("body")
        names = [n for f in ("name", "declarator") for n in node.children_by_field_name(f)]
        names += [n for n in [inner and inner.child_by_field_name("name")] if n is not None]
        titles = [t for n in names for t in re.findall(r"\w+", text_of(self.source, n))]
        if body is not None:
            self.members(body, titles[0] if titles else "")
        if titles and not (body is not None and whole.has_error):
            self.optional.append(Optional(tuple(titles), whole))

    def members(self, body: Node, owner: str) -> None:
        """What a class has for the host only; what it has for the device is read as elsewhere."""
        for child in body.named_children:
            for node in child.named_children if child.type in _MEMBERS else [child]:
                if node.type == "function_definition":
                    self.function(node, child, template=False, owner=owner)
                elif node.type in _TYPES | {"field_declaration"}:
                    inner = first_below(node, "field_declaration_list")
                    if inner is not None:
                        self.members(inner, owner)

    def declaration(self, node: Node, whole: Node) -> None:
        words = words_before_declarator(self.source, node)
        declarators = node.children_by_field_name("declarator")
        heads = [h for d in declarators if (h := first_below(d, "function_declarator")) is not None]
        if heads and not words & _KEPT_VARIABLES - {"__device__", "const"}:
            self.prototypes(heads, words, whole)
            return
        if (kind := node.child_by_field_name("type")) is not None and kind.type in _TYPES:
            self.type(kind, kind)
        names = [text_of(self.source, n) for d in declarators if (n := declared_name(d))]
        if "__shared__" in words:
            self.shared_variables(node, "")
        elif words & _ON_DEVICE:
            self.globals += global_variables(self.source, node, words, len(self.globals))
            self.used.append(node)
        elif words & {"const", "constexpr"} and not whole.has_error:
            self.optional.append(Optional(tuple(names), whole))
        elif not words & _KEPT_VARIABLES and declarators:
            self.leave_out(whole, "")

    def prototypes(self, heads: list[Node], words: set[str], whole: Node) -> None:
        if not words & {Qualifier.GLOBAL, Qualifier.DEVICE}:
            self.leave_out(whole, "")
            return
        names = [name for head in heads if (name := declared_name(head)) is not None]
        self.promised += [(text_of(self.source, name), line_of(name)) for name in names]

    def shared_variables(self, node: Node, function: str) -> None:
        self.shared += shared_declarations(self.source, node, function, len(self.shared))

    def leave_out_unneeded(self) -> None:
        """What stands at the side of host code: no kernel mentions it."""
        used = [*self.used, *(function.whole for function in self.definitions)]
        templates = [kernel.name for kernel in self.kernels if kernel.template]
        given = template_arguments(self.source, templates)
        for item in unneeded(self.source, self.optional, used, self.host, given):
            name = item.names[0] if item.node.type == "function_definition" else ""
            self.leave_out(item.node, name)
            self.optional.remove(item)

    def leave_out(self, node: Node, name: str) -> None:
        if node.has_error and not name:
            return  # the compiler's message on it is worth more
        end = node.end_point.row + (1 if node.end_point.column else 0)
        self.host.append(HostCode(name, line_of(node), end, node.start_byte, node.end_byte))


def _without_braces(linkage: Node) -> Node | None:
    """What ``extern "C"`` stands before, if it is one thing only."""
    body = linkage.child_by_field_name("body")
    return body if body is not None and body.type != "declaration_list" else None


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
        text="",
        functions=by_name(reading.definitions),
        shared=tuple(reading.shared),
    ).shared_of(kernel.name)
    return replace(kernel, dynamic_shared=any(declaration.dynamic for declaration in found))


def _notes(host: list[HostCode]) -> tuple[Diagnostic, ...]:
    named = [code for code in host if code.name and "::" not in code.name]
    if not named:
        return ()
    names = ", ".join(code.name for code in named)
    message = _("Host code is ignored: {names}.").format(names=names)
    return (Diagnostic(Severity.NOTE, message, named[0].line),)
