# SPDX-License-Identifier: MIT
"""Works out an index expression of CUDA C for one thread, without running anything.

Only whole-number arithmetic and comparison is understood; anything else is told apart as unknown.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

Names = Mapping[str, int]
"""Values by name, such as ``blockIdx.x`` or ``n``."""

_CAST = re.compile(
    r"\(\s*(?:const\s+)?(?:unsigned\s+|signed\s+)?(?:int|long|long\s+long|short|unsigned|size_t|"
    r"u?int(?:32|64)_t)\s*\)"
)
_SUFFIX = re.compile(r"(?<=[0-9])(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])\b")
_LARGEST = 10**30
_DEEPEST_SHIFT = 128


class UnknownError(ValueError):
    """An expression that goes beyond whole-number arithmetic of known names."""


def _divided(left: int, right: int) -> int:
    """C's division: towards zero."""
    if right == 0:
        raise UnknownError("division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    return left - _divided(left, right) * right


def _shifted(left: int, right: int) -> int:
    if not 0 <= right < _DEEPEST_SHIFT:
        raise UnknownError("shift out of range")
    return left << right


def _shifted_right(left: int, right: int) -> int:
    if not 0 <= right < _DEEPEST_SHIFT:
        raise UnknownError("shift out of range")
    return left >> right


_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.Mod: _remainder,
    ast.LShift: _shifted,
    ast.RShift: _shifted_right,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: dict[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_CALLS: dict[str, Callable[..., int]] = {"min": min, "max": max, "abs": abs}


def evaluate(expression: str, names: Names) -> int:
    """Value of an expression for these names.

    Raises:
        UnknownError: If it holds anything but arithmetic of whole numbers and known names.
    """
    plain = _SUFFIX.sub("", _CAST.sub("", expression)).strip()
    try:
        tree = ast.parse(plain, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnknownError(expression) from error
    return _value(tree.body, names)


def _value(node: ast.expr, names: Names) -> int:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute(value=ast.Name(id=owner), attr=axis) if f"{owner}.{axis}" in names:
            return names[f"{owner}.{axis}"]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            result = _BINARY[type(op)](_value(left, names), _value(right, names))
            if abs(result) > _LARGEST:
                raise UnknownError("too large")
            return result
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, names))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _CALLS:
            if not arguments:
                raise UnknownError(name)
            return _CALLS[name](*(_value(argument, names) for argument in arguments))
    raise UnknownError(ast.unparse(node))
