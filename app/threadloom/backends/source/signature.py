# SPDX-License-Identifier: MIT
"""From a ``__global__`` function's head to its signature."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from threadloom.backends.source.integer_constant import constant
from threadloom.backends.source.syntax import (
    declared_name,
    first_below,
    line_of,
    text_of,
    words_before_declarator,
)
from threadloom.model.program import Parameter, Signature

_NOT_TYPE = re.compile(
    r"\b(?:const|volatile|static|register|struct|__restrict__|__restrict|__grid_constant__)\b"
)


def signature_of(
    source: bytes,
    function: Node,
    name: Node,
    defines: Mapping[str, str],
    template: bool,
    scope: str = "",
) -> Signature:
    """Signature of a ``function_definition`` whose name is at ``name``."""
    return Signature(
        name=text_of(source, name),
        parameters=tuple(
            _parameter(source, node, i) for i, node in enumerate(parameters(function))
        ),
        line=line_of(name),
        launch_bounds=_launch_bounds(source, function, defines),
        template=template,
        scope=scope,
    )


def parameters(function: Node) -> list[Node]:
    """The nodes of a function's parameters; ``(void)`` has none."""
    head = function.child_by_field_name("declarator")
    wanted = ("parameter_declaration", "optional_parameter_declaration")
    found = first_below(head, "parameter_list") if head is not None else None
    nodes = [child for child in found.named_children if child.type in wanted] if found else []
    alone = len(nodes) == 1 and nodes[0].child_by_field_name("declarator") is None
    if alone and (kind := nodes[0].child_by_field_name("type")) is not None:
        nodes = [] if kind.text == b"void" else nodes
    return nodes


def _parameter(source: bytes, node: Node, position: int) -> Parameter:
    declarator = node.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else None
    stars = 0
    inner = declarator
    while inner is not None and inner.type in ("pointer_declarator", "array_declarator"):
        stars += 1
        inner = inner.child_by_field_name("declarator")
    if declarator is not None and declarator.type == "abstract_pointer_declarator":
        stars += 1
    words = words_before_declarator(source, node)
    kind = node.child_by_field_name("type")
    written = text_of(source, kind) if kind is not None else ""
    return Parameter(
        name=text_of(source, name) if name is not None else f"argument_{position}",
        type=" ".join(_NOT_TYPE.sub(" ", written).split()) + "*" * max(stars - 1, 0),
        pointer=stars > 0,
        const="const" in words,
    )


def _launch_bounds(source: bytes, function: Node, defines: Mapping[str, str]) -> int | None:
    """The first number of ``__launch_bounds__``, with macros; None if it cannot be told."""
    bounds = first_below(function, "launch_bounds")
    if bounds is None or not bounds.named_children:
        return None
    return constant(text_of(source, bounds.named_children[0]), defines)
