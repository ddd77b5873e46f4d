# SPDX-License-Identifier: MIT
"""Random expressions: the values are a real compiler's, and within their bounds."""

from __future__ import annotations

import ctypes
import functools
import random

from hypothesis import given
from hypothesis import strategies as st

from threadloom.backends.source.expression import (
    VALUES,
    CType,
    Evaluator,
    ExpressionError,
    Interval,
    Value,
    bounds,
    evaluate,
    parse_expression,
)
from threadloom.backends.source.expression.ctype import SHIFTS
from threadloom.backends.source.expression.errors import ArithmeticFaultError
from threadloom.backends.source.expression.values import Values
from threadloom.backends.toolchain import compile_shared

COUNT = 300
SEED = 7
TYPES = {CType.INT: "int", CType.UINT: "unsigned", CType.LLONG: "long long"}
NAMES = {
    "a": Value(-7),
    "b": Value(19),
    "c": Value(70_000),
    "u": Value(3, CType.UINT),
    "v": Value(4_000_000_000, CType.UINT),
    "w": Value(-6_000_000_000, CType.LLONG),
    "x": Value(12, CType.LLONG),
}
LITERALS = ("0", "1", "5", "31", "017", "0xFFu", "9u", "100000", "7ll", "3000000000", "0b11", "'a'")
SIGNS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")
CASTS = ("int", "unsigned", "long long", "short", "unsigned char", "bool", "size_t")


class Defined(Values):
    """Refuses what C leaves undefined."""

    def binary(self, sign: str, left: Value, right: Value) -> Value:
        """Apply an operator whose result its type holds."""
        found = super().binary(sign, left, right)
        if sign in SHIFTS and not 0 <= right.number < found.type.size * 8:
            raise ArithmeticFaultError(sign)
        return held(found)

    def unary(self, sign: str, operand: Value) -> Value:
        """Apply an operator whose result its type holds."""
        return held(super().unary(sign, operand))


def held(value: Value) -> Value:
    """The value, if its type holds it."""
    if not value.type.least <= value.number <= value.type.most:
        raise ArithmeticFaultError("overflow")
    return value


def made(chance: random.Random, depth: int) -> str:
    """A random expression; parentheses are left to chance, so that precedence counts."""
    if depth == 0 or chance.random() < 0.1:
        return chance.choice((*NAMES, *NAMES, *LITERALS))
    inner = [made(chance, depth - 1) for _operand in range(3)]
    match chance.randrange(12):
        case 0:
            return f"{chance.choice('-~!+')}({inner[0]})"
        case 1:
            return f"({chance.choice(CASTS)})({inner[0]})"
        case 2:
            return f"({inner[0]} ? {inner[1]} : {inner[2]})"
        case 3:
            return f"({inner[0]} {chance.choice(('&&', '||'))} {inner[1]})"
        case 4:
            return f"sizeof({inner[0]}) + {inner[1]}"
    text = f"{inner[0]} {chance.choice(SIGNS)} {inner[1]}"
    return f"({text})" if chance.random() < 0.4 else text


@functools.cache
def expressions() -> tuple[str, ...]:
    """Those of the fixed seed that C defines the value of."""
    chance = random.Random(SEED)
    found: list[str] = []
    strict = Evaluator(Defined(), NAMES)
    while len(found) < COUNT:
        text = made(chance, chance.randint(2, 4))
        try:
            strict.of(parse_expression(text))
        except ExpressionError:
            continue
        found.append(text)
    return tuple(found)


def compiled(texts: tuple[str, ...]) -> list[tuple[int, int, bool]]:
    """Bits, size and sign of each expression's value, by the compiler."""
    head = ", ".join(f"{TYPES[value.type]} {name}" for name, value in NAMES.items())
    lines = "\n".join(
        f"  out[{3 * i}] = (unsigned long long)({text}); out[{3 * i + 1}] = sizeof({text});"
        f" out[{3 * i + 2}] = (decltype(({text}) + 0 * ({text})))-1 < 0;"
        for i, text in enumerate(texts)
    )
    begin = f'extern "C" void fill(unsigned long long *out, {head}) {{'
    source = f"using size_t = decltype(sizeof(0));\n{begin}\n{lines}\n}}\n"
    flags = ("-w", "-Wno-parentheses", "-O0", "-g0", "-std=c++17", "-fno-sanitize=undefined")
    library = ctypes.CDLL(str(compile_shared({"expressions.cpp": source}, flags)))
    kinds = {CType.INT: ctypes.c_int, CType.UINT: ctypes.c_uint, CType.LLONG: ctypes.c_longlong}
    out = (ctypes.c_ulonglong * (3 * len(texts)))()
    library.fill(out, *(kinds[value.type](int(value.number)) for value in NAMES.values()))
    return [(out[i], out[i + 1], bool(out[i + 2])) for i in range(0, len(out), 3)]


def test_values_are_those_of_a_compiler() -> None:
    texts = expressions()
    for text, (bits, size, signed) in zip(texts, compiled(texts), strict=True):
        value = evaluate(text, NAMES)
        found = (value.number % 2**64, value.type.size, value.type.promoted.signed)
        assert found == (bits, size, signed), text


@st.composite
def widened(draw: st.DrawFn) -> dict[str, tuple[Interval, Value]]:
    """For each name an interval and a value within."""
    found = {}
    for name, value in NAMES.items():
        kind, spread = value.type, draw(st.sampled_from((0, 1, 40, 2**31, 2**63)))
        middle = int(value.number) if draw(st.booleans()) else draw(st.integers(-40, 40))
        middle = max(kind.least, min(kind.most, middle))
        least, most = max(kind.least, middle - spread), min(kind.most, middle + spread)
        found[name] = (Interval(least, most, kind), Value(draw(st.integers(least, most)), kind))
    return found


@given(text=st.deferred(lambda: st.sampled_from(expressions())), names=widened())
def test_bounds_hold_every_value(text: str, names: dict[str, tuple[Interval, Value]]) -> None:
    try:
        value = evaluate(text, {name: one for name, (_bounds, one) in names.items()})
    except ExpressionError:
        return
    found = bounds(text, {name: one for name, (one, _value) in names.items()})
    assert found.contains(value), (found, value)
    assert found.type is value.type


@given(
    number=st.integers(-(2**63), 2**63 - 1), to=st.sampled_from([*TYPES, CType.SHORT, CType.UCHAR])
)
def test_a_conversion_keeps_the_value_modulo_its_size(number: int, to: CType) -> None:
    found = VALUES.convert(Value(number, CType.LLONG), to).number
    assert (found - number) % 2 ** (8 * to.size) == 0
    assert to.least <= found <= to.most
