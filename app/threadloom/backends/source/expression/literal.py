# SPDX-License-Identifier: MIT
"""Number and character literals of C++."""

from __future__ import annotations

import re

from threadloom.backends.source.expression.ctype import CType
from threadloom.backends.source.expression.errors import ArithmeticFaultError, too_large
from threadloom.backends.source.expression.value import Value
from threadloom.text import _

_INTEGER = re.compile(
    r"(?:0x(?P<hex>[0-9a-f]+)|0b(?P<binary>[01]+)|0(?P<octal>[0-7]*)|(?P<decimal>[1-9]\d*))"
    r"(?P<suffix>|u|l|ll|ul|lu|ull|llu)\Z",
    re.IGNORECASE,
)
_FLOAT = re.compile(
    r"(?P<digits>0x[0-9a-f]*\.?[0-9a-f]*p[+-]?\d+|(?=[\d.]*[.e])\.?\d+\.?\d*(?:e[+-]?\d+)?)"
    r"(?P<suffix>[fl]?)\Z",
    re.IGNORECASE,
)
_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_TYPES = (CType.INT, CType.UINT, CType.LLONG, CType.ULLONG)
_LETTER = re.compile(r"'(?:\\(?P<octal>[0-7]{1,3})|\\x(?P<hex>[0-9a-fA-F]+)|(?P<letter>\\?.))'\Z")
_ESCAPES = dict(zip("abfnrtv\\'\"?", "\a\b\f\n\r\t\v\\'\"?", strict=True))


def number(written: str) -> Value:
    """Value of a number literal.

    Raises:
        ArithmeticFaultError: If it is malformed or no type holds it.
    """
    digits = written.replace("'", "")
    if found := _INTEGER.match(digits):
        return _integer(found)
    if found := _FLOAT.match(digits):
        return _floating(found)
    raise ArithmeticFaultError(_("“{text}” is not a number.").format(text=written))


def _integer(found: re.Match[str]) -> Value:
    base = next(name for name in _BASES if found[name] is not None)
    value = int(found[base] or "0", _BASES[base])
    suffix = found["suffix"].lower()
    for kind in _TYPES:
        wide = kind.size == CType.LLONG.size or "l" not in suffix
        # Only an unsigned suffix, or a base other than ten, makes a number unsigned.
        sign = not kind.signed if "u" in suffix else kind.signed or base != "decimal"
        if wide and sign and value <= kind.most:
            return Value(value, kind)
    if value <= CType.ULLONG.most:
        return Value(value, CType.ULLONG)
    raise too_large()


def _floating(found: re.Match[str]) -> Value:
    digits, suffix = found["digits"], found["suffix"].lower()
    try:
        value = float.fromhex(digits) if digits[:2].lower() == "0x" else float(digits)
    except (ValueError, OverflowError):
        raise too_large() from None
    if value == float("inf"):
        raise too_large()
    return Value(value, CType.FLOAT if suffix == "f" else CType.DOUBLE)


def letter(written: str) -> Value:
    """Value of a character literal.

    Raises:
        ArithmeticFaultError: If it is not one plain character or escape sequence.
    """
    found = _LETTER.match(written)
    if found is None:
        raise ArithmeticFaultError(_("“{text}” is not a number.").format(text=written))
    if found["letter"] is None:
        code = int(found["octal"], 8) if found["octal"] else int(found["hex"], 16)
    else:
        code = ord(_ESCAPES.get(found["letter"][1:], found["letter"][-1]))
    if code > CType.UCHAR.most or not written.isascii():
        raise ArithmeticFaultError(_("“{text}” is not a number.").format(text=written))
    return Value(code - 256 if code > CType.CHAR.most else code, CType.CHAR)
