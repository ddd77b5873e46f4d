# SPDX-License-Identifier: MIT
"""Whole numbers that a source writes as an expression of macros."""

from __future__ import annotations

import re
from collections.abc import Mapping

from threadloom.model.c_expression import Reader
from threadloom.model.c_token import ExpressionError, tokens_of

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
DEEPEST = 20
"""Macros within macros that are followed."""
LONGEST = 1000
"""Letters of an expression that is still read."""


def constant(written: str, macros: Mapping[str, str]) -> int | None:
    """The value of an expression such as ``BX * BY``; None if it is no whole number."""
    text = written
    for _depth in range(DEEPEST):
        opened = _NAME.sub(lambda name: _value(name[0], macros), text)
        if opened == text or len(opened) > LONGEST:
            break
        text = opened
    reader = Reader(tokens_of(text), {})
    try:
        value = reader.whole()
    except ExpressionError:
        return None
    return value if reader.token.kind == "end" else None


def _value(name: str, macros: Mapping[str, str]) -> str:
    value = macros.get(name)
    return f"({value})" if value else name
