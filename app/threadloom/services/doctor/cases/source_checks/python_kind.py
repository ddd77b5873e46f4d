# SPDX-License-Identifier: MIT
"""What kind of value a Python expression has, without running it.

PyCUDA takes Python's own integers in a launch and NumPy's numbers as arguments, and refuses the
other way round. A case may quote the expression that matters; its text tells the two apart, which
numbers in a JSON file cannot.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """What Python makes of an expression, as far as PyCUDA cares."""

    INT = auto()
    FLOAT = auto()
    BOOL = auto()
    TEXT = auto()
    NONE = auto()
    NUMPY = auto()
    """A number of NumPy."""
    TUPLE = auto()
    LIST = auto()
    UNKNOWN = auto()
    """A name that the expression does not explain."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression and, of a tuple or list, its parts."""

    kind: Kind
    text: str
    parts: tuple[Expression, ...] = ()


_UNKNOWN = Expression(Kind.UNKNOWN, "")
_TO_KIND = {
    **dict.fromkeys(("int", "len", "round", "ceil", "floor", "gcd", "isqrt", "item"), Kind.INT),
    **dict.fromkeys(("float", "sqrt", "log", "log2", "pow", "fabs"), Kind.FLOAT),
    **dict.fromkeys(("str", "repr", "input"), Kind.TEXT),
    "tuple": Kind.UNKNOWN,
}
"""Functions of Python and its ``math``, with what they give."""
_NUMPY_MODULES = {"np", "numpy"}
_NUMBERS = {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.NUMPY}
_PLAIN = {int: Kind.INT, float: Kind.FLOAT, bool: Kind.BOOL, str: Kind.TEXT, type(None): Kind.NONE}


def read_expression(text: str, keyword: str = "") -> Expression:
    """Read an expression such as ``(n/256, 1)``, or one that stands behind ``keyword=``.

    What is no Python gives `Kind.UNKNOWN`.
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _behind(text, keyword)
    if isinstance(node, ast.Call) and keyword:
        named = next((k.value for k in node.keywords if k.arg == keyword), None)
        node = named or node
    return _read(node)


def _behind(text: str, keyword: str) -> Expression:
    """``block=(256, 1, 1)``, which stands for itself only within a call."""
    try:
        node = ast.parse(f"f({text.strip()})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _UNKNOWN
    named = [k.value for k in node.keywords if k.arg == keyword] if _is_call(node) else []  # type: ignore[attr-defined]
    return _read(named[0]) if named else _UNKNOWN


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call)


def _read(node: ast.expr) -> Expression:
    text = ast.unparse(node)
    if isinstance(node, ast.Tuple | ast.List):
        kind = Kind.TUPLE if isinstance(node, ast.Tuple) else Kind.LIST
        starred = any(isinstance(part, ast.Starred) for part in node.elts)
        return Expression(kind, text, () if starred else tuple(map(_read, node.elts)))
    return Expression(_kind(node), text)


def _kind(node: ast.expr) -> Kind:
    match node:
        case ast.Constant(value=value):
            return _PLAIN.get(type(value), Kind.UNKNOWN)
        case ast.UnaryOp(operand=operand):
            return _kind(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return _of_operation(op, _kind(left), _kind(right))
        case ast.IfExp(body=body, orelse=other):
            return _common([_kind(body), _kind(other)])
        case ast.Call(func=function, args=arguments):
            return _of_call(function, [_kind(argument) for argument in arguments])
        case (
            ast.Subscript(value=ast.Attribute(attr="shape"))
            | ast.Attribute(attr="size" | "nbytes" | "ndim" | "itemsize")
        ):
            return Kind.INT
        case ast.Compare() | ast.BoolOp():
            return Kind.UNKNOWN
        case ast.JoinedStr():
            return Kind.TEXT
    return Kind.UNKNOWN


def _of_operation(op: ast.operator, left: Kind, right: Kind) -> Kind:
    if Kind.NUMPY in (left, right):
        return Kind.NUMPY
    if isinstance(op, ast.Div):  # of whole numbers, too, since Python 3
        return Kind.FLOAT
    if Kind.FLOAT in (left, right):
        return Kind.FLOAT
    return Kind.INT if {left, right} <= {Kind.INT, Kind.BOOL} else Kind.UNKNOWN


def _of_call(function: ast.expr, arguments: Sequence[Kind]) -> Kind:
    match function:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _NUMPY_MODULES:
            return Kind.UNKNOWN if name in {"array", "asarray", "zeros", "ones"} else Kind.NUMPY
        case ast.Attribute(attr=name) | ast.Name(id=name):
            if name in {"max", "min", "abs", "sum"}:
                return _common(arguments)
            return _TO_KIND.get(name, Kind.UNKNOWN)
    return Kind.UNKNOWN


def _common(kinds: Sequence[Kind]) -> Kind:
    """The kind that all have, else none is known."""
    return kinds[0] if kinds and len(set(kinds)) == 1 and kinds[0] in _NUMBERS else Kind.UNKNOWN
