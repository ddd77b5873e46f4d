# SPDX-License-Identifier: MIT
"""A thin layer over tree-sitter: texts, lines and walks. Columns are bytes of UTF-8 throughout."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter
import tree_sitter_cuda
from tree_sitter import Node

_LANGUAGE = tree_sitter.Language(tree_sitter_cuda.language())

_ATTRIBUTES = re.compile(rb"\b__(?:align|builtin_align|cluster_dims|maxnreg)__\s*\(\s*[\w, ]*\)")
LAMBDA = re.compile(rb"(?<=\])\s*(?:__(?:host|device)__\s*)+(?=[({])")
"""A lambda's qualifiers."""
_NAMES = ("identifier", "field_identifier", "operator_name", "destructor_name", "operator_cast")
_AROUND_NAMES = (
    *("parenthesized_declarator", "reference_declarator"),
    *("template_function", "template_method", "qualified_identifier"),
)
# What stands for a word the grammar does not know, so that what it belongs to begins there.
_WORDS = {
    b"__noinline__": b"inline",
    b"__inline__": b"inline",
    b"__grid_constant__": b"",
    b"__managed__": b"__device__",
}
_UNKNOWN = re.compile(rb"\b(?:%s)\b" % b"|".join(_WORDS))


def syntax_tree(text: bytes) -> tree_sitter.Tree:
    """Parse; what the grammar does not know is replaced first, so that places stay."""
    readable = _ATTRIBUTES.sub(_blanks, text)
    readable = LAMBDA.sub(_blanks, _UNKNOWN.sub(_known, readable))
    return tree_sitter.Parser(_LANGUAGE).parse(readable)


def _known(found: re.Match[bytes]) -> bytes:
    return _WORDS[found.group()].ljust(len(found.group()))


def _blanks(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", found.group())


def text_of(source: bytes, node: Node) -> str:
    """The node's text as it stands in the source."""
    return source[node.start_byte : node.end_byte].decode(errors="replace")


def line_of(node: Node) -> int:
    """The node's first line, from 1."""
    return node.start_point.row + 1


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def below(node: Node, *types: str) -> Iterator[Node]:
    """Nodes of these types in the tree below, in the order of the text."""
    return (found for found in walk(node) if found.type in types)


def first_below(node: Node, *types: str) -> Node | None:
    """The first node of these types in the tree below."""
    return next(below(node, *types), None)


def unread_lines(root: Node) -> set[int]:
    """Lines with what could not be read, and the one before and after each such stretch."""
    found: set[int] = set()
    for node in walk(root):
        if node.type == "ERROR" or node.is_missing:
            found.update(range(node.start_point.row, node.end_point.row + 3))
    return found


def declared_name(declarator: Node) -> Node | None:
    """The name that a declarator declares, however deep in stars, brackets and values."""
    node: Node | None = declarator
    while node is not None and node.type not in _NAMES:
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "qualified_identifier":
            inner = node.child_by_field_name("name")
        if inner is None and node.type in _AROUND_NAMES:
            inner = next(iter(node.named_children), None)
        node = inner
    return node


def words_before_declarator(source: bytes, node: Node) -> set[str]:
    """Specifiers of a declaration or function: ``__global__``, ``const``, ``extern`` and so on."""
    end = node.child_by_field_name("declarator")
    last = end.start_byte if end is not None else node.end_byte
    return set(re.findall(r"\w+", source[node.start_byte : last].decode(errors="replace")))
