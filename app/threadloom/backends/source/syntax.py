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
_WORDS = re.compile(rb"\b(?:__noinline__|__inline__|__grid_constant__|__managed__)\b")


def syntax_tree(text: bytes) -> tree_sitter.Tree:
    """Parse; what the grammar does not know is blanked first, so that places stay."""
    readable = _ATTRIBUTES.sub(_blanks, text)
    return tree_sitter.Parser(_LANGUAGE).parse(_WORDS.sub(_blanks, readable))


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


def declared_name(declarator: Node) -> Node | None:
    """The identifier that a declarator declares, however deep in stars, brackets and values."""
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        if inner is None:
            kinds = ("parenthesized_declarator", "reference_declarator", "template_function")
            inner = next((c for c in node.named_children if node.type in kinds), None)
        node = inner
    return node


def words_before_declarator(source: bytes, node: Node) -> set[str]:
    """Specifiers of a declaration or function: ``__global__``, ``const``, ``extern`` and so on."""
    end = node.child_by_field_name("declarator")
    last = end.start_byte if end is not None else node.end_byte
    return set(re.findall(r"\w+", source[node.start_byte : last].decode(errors="replace")))
