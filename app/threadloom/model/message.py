# SPDX-License-Identifier: MIT
"""Texts for a user as plain data: they cross processes, and are worded where they are shown.

In modules whose texts may cross processes, ``_`` and ``ngettext`` come from here. As in Django's
``gettext_lazy``, the names are those that extraction knows; they give a `Message`, not a string.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from threadloom import text
from threadloom.model.quantity import (
    Quantity,
    bandwidth,
    binary_bytes,
    count,
    decimal_bytes,
    duration,
    factor,
    percent,
    scientific,
    significant,
)
from threadloom.text import N_, in_english

__all__ = [
    "NOTHING",
    "N_",
    "Argument",
    "Message",
    "Quantity",
    "_",
    "bandwidth",
    "binary_bytes",
    "count",
    "decimal_bytes",
    "duration",
    "factor",
    "joined",
    "literal",
    "message_of",
    "ngettext",
    "percent",
    "scientific",
    "significant",
]


@dataclass(frozen=True, slots=True)
class Message:
    """One text with what stands in its placeholders. `str()` words it in the language in use."""

    msgid: str
    """English text with named placeholders, as in the catalogs; empty for no text."""
    args: tuple[tuple[str, Argument], ...] = ()
    """Values of the placeholders, by name."""
    plural: str = ""
    """English text for several; empty where the text has one form."""
    n: int = 1
    """The number that chooses the form."""
    verbatim: bool = False
    """Whether it is data, such as a compiler's own text: it is not translated."""

    def __str__(self) -> str:
        return self.text()

    def __bool__(self) -> bool:
        return bool(self.msgid)

    def text(self) -> str:
        """The text in the language in use in this process."""
        if self.verbatim or not self.msgid:
            return self.msgid
        form = text.ngettext(self.msgid, self.plural, self.n) if self.plural else text._(self.msgid)
        return (
            form.format(**{name: _worded(value) for name, value in self.args})
            if self.args
            else form
        )

    def english(self) -> str:
        """The text in English, for JSON, logs and tests of its words."""
        with in_english():
            return self.text()

    def format(self, **args: Any) -> Message:
        """The text with its placeholders filled in."""
        return replace(self, args=tuple((name, _data(value)) for name, value in args.items()))


Argument = str | int | float | Quantity | Message
"""What may stand in a placeholder; names and code are strings."""
NOTHING = Message("")


def _(message: str) -> Message:
    """A text that has one form."""
    return Message(message)


def ngettext(singular: str, plural: str, n: int) -> Message:
    """A text that has one form for one thing and others for several."""
    return Message(singular, plural=plural, n=int(n))


def literal(data: str) -> Message:
    """Data in place of a text, such as a compiler's own text or a name: the same everywhere."""
    return Message(data, verbatim=True)


def message_of(error: BaseException) -> Message:
    """What an error says, still to be worded if it was raised with a `Message`."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, Message) else literal(str(error))


def joined(
    texts: Iterable[Message | Quantity | str], separator: str = " · ", frame: str = "{}"
) -> Message:
    """Texts side by side, each complete by itself, with a sign between; empty ones are left out.

    ``frame`` is what stands around them, such as ``({})``.
    """
    parts = {f"part{i}": part for i, part in enumerate(part for part in texts if part)}
    if not parts:
        return NOTHING
    return Message(frame.format(separator.join(f"{{{name}}}" for name in parts))).format(**parts)


def _data(value: object) -> Argument:
    """Plain data for a placeholder: NumPy's numbers, paths and errors become what they print."""
    return value if isinstance(value, str | int | float | Quantity | Message) else str(value)


def _worded(value: Argument) -> str | int | float:
    return str(value) if isinstance(value, Quantity | Message) else value
