# SPDX-License-Identifier: MIT
"""Why an expression has no value, and which part of it is at fault."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from threadloom.text import _


class ExpressionError(Exception):
    """An expression without a value; ``start`` and ``end`` are offsets of the part at fault."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self._message = message
        self.start = start
        self.end = end

    @property
    def message(self) -> str:
        """What is wrong, for the user."""
        return self._message


class UnknownNameError(ExpressionError):
    """A name without a value; the similar name is looked for only if the message is read."""

    def __init__(self, name: str, known: Iterable[str], start: int, end: int) -> None:
        super().__init__(name, start, end)
        self._name = name
        self._known = list(dict.fromkeys(one.partition(".")[0] for one in known))

    @property
    def message(self) -> str:
        """What is wrong, with the most similar name or with all that are known."""
        near = difflib.get_close_matches(self._name, self._known, 1)
        if near:
            text = _("“{name}” is undefined. Did you mean “{near}”?")
            return text.format(name=self._name, near=near[0])
        if not self._known:
            return _("“{name}” is undefined. Write a number.").format(name=self._name)
        text = _("“{name}” is undefined. Write a number, or one of: {known}.")
        return text.format(name=self._name, known=", ".join(self._known))


class ArithmeticFaultError(Exception):
    """An operation without a result, such as a division by zero; its message is for the user."""


def too_large() -> ArithmeticFaultError:
    """The fault of a number that no integer type holds."""
    return ArithmeticFaultError(_("This number is too large for every CUDA type."))


def unknown_size(written: str) -> str:
    """The message for ``sizeof`` of something unknown."""
    return _("The size of “{name}” is unknown. Write it in bytes.").format(name=written)
