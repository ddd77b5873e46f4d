# SPDX-License-Identifier: MIT
"""A line of CUDA C as words with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<number>0[xX][0-9a-fA-F']+|(?:\d[\d']*)?\.?\d[\d']*\.?(?:[eE][+-]?\d+)?)(?P<suffix>[uUlLfF]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<<|>>>|<<|>>|::|[-+*/%().,;={}<>\[\]&|!?:#\"'\\~^@$])"
    r"|(?P<other>\S)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word of the text, with where it stands."""

    kind: str
    text: str
    start: int
    end: int


class ExpressionError(Exception):
    """An expression that has no value; ``start`` and ``end`` say which part is at fault."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


def tokens_of(text: str) -> list[Token]:
    """Split a text into words; blanks are left out."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = next(k for k in ("number", "name", "sign", "other") if match[k] is not None)
        found.append(Token(kind, match[0], match.start(), match.end()))
    return found
