# SPDX-License-Identifier: MIT
"""Reads the text of an expression with the grammar of CUDA C++."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from tree_sitter import Node

from threadloom.backends.source.expression.build import CASTS, Builder
from threadloom.backends.source.expression.ctype import FUNCTIONS
from threadloom.backends.source.expression.tree import Fault, Part
from threadloom.backends.source.syntax import below, syntax_tree, walk
from threadloom.text import _

_BEFORE, _AFTER = b"x=f(", b"\n);"
"""As an argument, also extents in braces are an expression to the grammar."""
DEEPEST = 150
"""Nodes within nodes that are followed; Python's own stack must not end before."""
_CLOSING = {"(": ")", "{": "}", "[": "]"}


@functools.lru_cache(maxsize=4096)
def parse_expression(text: str) -> Part:
    """The tree of an expression; of one with a syntax error, a `Fault`."""
    written = _BEFORE + text.encode(errors="replace") + _AFTER
    builder = Builder(written, len(_BEFORE))
    root = _without_templates(written)
    arguments = _arguments(root, len(written))
    if arguments is None or root.has_error:
        return _syntax_fault(builder, root, text)
    parts = [child for child in arguments.named_children if child.type != "comment"]
    if len(parts) != 1:
        return _miscounted(builder, arguments, text)
    if _depth(parts[0]) > DEEPEST:
        return Fault(0, len(text), _too_deep())
    return builder.of(parts[0])


def _too_deep() -> str:
    return _("These parentheses are nested too deeply.")


def _number_missing() -> str:
    return _("Expected a number.")


def _without_templates(written: bytes) -> Node:
    """The syntax tree, where ``a < b > (c)`` are comparisons and no call of a template.

    ``<`` is replaced by ``>``, which binds alike and opens no template's arguments.
    """
    readable = bytearray(written)
    while True:
        root = syntax_tree(bytes(readable)).root_node
        opened = [place for node in below(root, "template_function") for place in _opening(node)]
        if not opened:
            return root
        for place in opened:
            readable[place : place + 1] = b">"


def _opening(node: Node) -> Iterator[int]:
    """Where the arguments of something begin that is not a template known here."""
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    known = name is not None and (name.text or b"").decode(errors="replace") in {*CASTS, *FUNCTIONS}
    if arguments is not None and not known:
        yield arguments.start_byte


def _arguments(root: Node, length: int) -> Node | None:
    """The node around the expression; None if the text ends it and goes on."""
    node: Node | None = root.named_children[0] if root.named_child_count == 1 else None
    for kind in ("expression_statement", "assignment_expression", "call_expression"):
        if node is None or node.type != kind:
            return None
        inner = node.child_by_field_name("right") or node.child_by_field_name("arguments")
        node = inner or next(iter(node.named_children), None)
    if node is None or node.start_byte != len(_BEFORE) - 1 or node.end_byte != length - 1:
        return None
    return node


def _depth(node: Node) -> int:
    waiting, most = [(node, 1)], 0
    while waiting:
        inner, depth = waiting.pop()
        most = max(most, depth)
        waiting += [(child, depth + 1) for child in inner.named_children]
    return most


def _miscounted(builder: Builder, arguments: Node, text: str) -> Part:
    comma = next((child for child in arguments.children if child.type == ","), None)
    if comma is None:
        return Fault(0, len(text), _number_missing())
    return Fault(*builder.place(comma), _not_a_part(","))


def _syntax_fault(builder: Builder, root: Node, text: str) -> Part:
    """The first place where the text is not an expression, and what was read before it."""
    if _open(root) > DEEPEST:
        return Fault(0, len(text), _too_deep())
    start, end, message = _unexpected(builder, root, text)
    start = max(0, min(start, len(text)))
    head = (
        parse_expression(text[:start]) if 0 < start < len(text) and text[:start].strip() else None
    )
    before = head if not isinstance(head, Fault) else None
    return Fault(start, max(start, min(end, len(text))), message, before)


def _open(root: Node) -> int:
    """Most parentheses that are open at once."""
    depth = most = 0
    for node in walk(root):
        depth += (node.type in _CLOSING) - (node.type in _CLOSING.values())
        most = max(most, depth)
    return most


def _unexpected(builder: Builder, root: Node, text: str) -> tuple[int, int, str]:
    wrong = next((node for node in walk(root) if node.is_error or node.is_missing), None)
    if wrong is not None and wrong.is_missing:
        start = builder.offset(wrong.start_byte)
        return start, start, _number_missing() if wrong.is_named else _missing(wrong.type)
    leaf = _first_wrong(root, wrong) if wrong is not None else None
    if leaf is None or builder.offset(leaf.start_byte) >= len(text):
        return _closed(builder, root, len(text))
    if leaf.type in _CLOSING:
        return len(text), len(text), _missing(_CLOSING[leaf.type])
    return *builder.place(leaf), _not_a_part(builder.text(leaf))


def _first_wrong(root: Node, error: Node) -> Node:
    """The first word that could not be read; an operand can be wherever a text begins."""
    leaves = [node for node in walk(root) if not node.children]
    first = next(node for node in walk(error) if not node.children)
    follows = [node for node in leaves if node.start_byte >= first.end_byte]
    operand = first.is_named and not first.is_error and first.start_byte == len(_BEFORE)
    return follows[0] if operand and follows else first


def _closed(builder: Builder, root: Node, length: int) -> tuple[int, int, str]:
    """The text's last parenthesis, which closes what stands around the text."""
    places = map(builder.place, below(root, ")"))
    start, end = max((one for one in places if one[1] <= length), default=(length, length))
    return start, end, _not_a_part(")") if start < end else _number_missing()


def _missing(sign: str) -> str:
    return _("Expected “{text}”.").format(text=sign)


def _not_a_part(written: str) -> str:
    return _("Unexpected “{text}” in a number.").format(text=written)
