# SPDX-License-Identifier: MIT
"""From the nodes of the grammar to an expression's tree."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from threadloom.backends.source.expression.ctype import FUNCTIONS, CType, size_named, type_named
from threadloom.backends.source.expression.errors import ArithmeticFaultError, unknown_size
from threadloom.backends.source.expression.literal import letter, number
from threadloom.backends.source.expression.tree import (
    Binary,
    Call,
    Cast,
    Conditional,
    Extents,
    Fault,
    Literal,
    Name,
    Part,
    SizeOf,
    Unary,
)
from threadloom.backends.source.expression.value import Value
from threadloom.text import _

CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
"""Templates that are conversions."""
_EXTENTS = "dim3"
_SIGNED = frozenset({"+", "-", "*", "&"})


class Builder:
    """Builds the tree of one text; places in the tree are offsets of characters."""

    def __init__(self, source: bytes, origin: int) -> None:
        self._source = source
        self._origin = origin
        self._plain = source.isascii()

    def of(self, node: Node) -> Part:
        """The tree of a node that holds no syntax error."""
        made = _BUILDERS.get(node.type)
        return made(self, node) if made else self._fault(node)

    def place(self, node: Node) -> tuple[int, int]:
        """Where a node begins and ends."""
        return self.offset(node.start_byte), self.offset(node.end_byte)

    def offset(self, byte: int) -> int:
        """The character at a byte."""
        if self._plain:
            return byte - self._origin
        return len(self._source[self._origin : byte].decode(errors="ignore"))

    def text(self, node: Node | None) -> str:
        """What is written, on one line."""
        if node is None:
            return ""
        written = self._source[node.start_byte : node.end_byte].decode(errors="replace")
        return " ".join(written.split())

    def _fault(self, node: Node, message: str = "") -> Part:
        text = message or _("Unexpected “{text}” in a number.")
        return Fault(*self.place(node), text.format(text=self.text(node)))

    def _child(self, node: Node, field: str) -> Part:
        child = node.child_by_field_name(field)
        return self.of(child) if child is not None else self._fault(node)

    def _inner(self, node: Node) -> Part:
        parts = _without_comments(node)
        return self.of(parts[0]) if len(parts) == 1 else self._fault(node)

    def _number(self, node: Node) -> Part:
        written, (start, end) = self.text(node), self.place(node)
        # The grammar takes a sign that stands before a number as part of it.
        sign = written[0] if written[:1] in ("-", "+") else ""
        try:
            read = letter if node.type == "char_literal" else number
            literal = Literal(start + len(sign), end, read(written[len(sign) :]))
        except ArithmeticFaultError as fault:
            return Fault(start, end, str(fault))
        return Unary(start, end, sign, literal) if sign else literal

    def _truth(self, node: Node) -> Part:
        return Literal(*self.place(node), Value(int(node.type == "true"), CType.BOOL))

    def _name(self, node: Node) -> Part:
        return Name(*self.place(node), self.text(node))

    def _field(self, node: Node) -> Part:
        owner, member = node.child_by_field_name("argument"), node.child_by_field_name("field")
        sign = self.text(node.child_by_field_name("operator")) or "."
        if owner is None or owner.type != "identifier" or sign != ".":
            return self._fault(node)
        return Name(*self.place(node), f"{self.text(owner)}.{self.text(member)}")

    def _unary(self, node: Node) -> Part:
        sign = self.text(node.child_by_field_name("operator"))
        if sign not in {"+", "-", "~", "!"}:
            return self._fault(node)
        return Unary(*self.place(node), sign, self._child(node, "argument"))

    def _binary(self, node: Node) -> Part:
        place, sign = self.place(node), self.text(node.child_by_field_name("operator"))
        kind = self._type_in_parentheses(node.child_by_field_name("left"))
        right = self._child(node, "right")
        if kind and sign in _SIGNED:
            # ``(real)-x``: to the grammar, a type of the user's is a name like any other.
            return Cast(*place, kind, Unary(*place, sign, right))
        return Binary(*place, sign, self._child(node, "left"), right)

    def _type_in_parentheses(self, node: Node | None) -> CType | None:
        if node is None or node.type != "parenthesized_expression":
            return None
        return type_named(self.text(node)[1:-1].strip())

    def _conditional(self, node: Node) -> Part:
        parts = ("condition", "consequence", "alternative")
        return Conditional(*self.place(node), *(self._child(node, part) for part in parts))

    def _cast(self, node: Node) -> Part:
        kind = type_named(self.text(node.child_by_field_name("type")))
        operand = self._child(node, "value")
        return Cast(*self.place(node), kind, operand) if kind else self._fault(node)

    def _size(self, node: Node) -> Part:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        written = self.text(kind or value).strip("() ")
        size = size_named(written)
        if size is not None:
            return Literal(*self.place(node), Value(size, CType.ULLONG))
        if value is None:
            return Fault(*self.place(node), unknown_size(written))
        return SizeOf(*self.place(node), written, self.of(value))

    def _extents(self, node: Node) -> Part:
        kind, values = node.child_by_field_name("type"), node
        if node.type == "compound_literal_expression":
            values = node.child_by_field_name("value") or node
            if self.text(kind) != _EXTENTS:
                return self._fault(node)
        return Extents(*self.place(values), tuple(map(self.of, _without_comments(values))))

    def _call(self, node: Node) -> Part:
        called = node.child_by_field_name("function")
        given = node.child_by_field_name("arguments")
        if called is None or given is None:
            return self._fault(node)
        arguments = tuple(map(self.of, _without_comments(given)))
        name = self.text(called).rpartition("::")[2]
        if name == _EXTENTS:
            return Extents(*self.place(given), arguments)
        kind = self._converted_to(called)
        if kind and len(arguments) == 1:
            return Cast(*self.place(node), kind, arguments[0])
        if name not in FUNCTIONS:
            text = _("“{text}” is undefined. Write a number.")
            return self._fault(called, text)
        return self._called(node, name, arguments)

    def _called(self, node: Node, name: str, arguments: tuple[Part, ...]) -> Part:
        wanted = FUNCTIONS[name]
        if len(arguments) == wanted:
            return Call(*self.place(node), name, arguments)
        text = _("{name} takes {wanted} arguments; {given} were given.")
        message = text.format(name=name, wanted=wanted, given=len(arguments))
        return Fault(*self.place(node), message)

    def _converted_to(self, called: Node) -> CType | None:
        if called.type == "template_function":
            name = self.text(called.child_by_field_name("name"))
            written = self.text(called.child_by_field_name("arguments"))[1:-1].strip()
            return type_named(written) if name in CASTS else None
        return self._type_in_parentheses(called) or type_named(self.text(called))


def _without_comments(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


_BUILDERS: dict[str, Callable[[Builder, Node], Part]] = {
    "parenthesized_expression": Builder._inner,
    "number_literal": Builder._number,
    "char_literal": Builder._number,
    "true": Builder._truth,
    "false": Builder._truth,
    "identifier": Builder._name,
    "field_expression": Builder._field,
    "unary_expression": Builder._unary,
    "binary_expression": Builder._binary,
    "conditional_expression": Builder._conditional,
    "cast_expression": Builder._cast,
    "sizeof_expression": Builder._size,
    "compound_literal_expression": Builder._extents,
    "initializer_list": Builder._extents,
    "call_expression": Builder._call,
    "user_defined_literal": Builder._number,
}
