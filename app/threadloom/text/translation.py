# SPDX-License-Identifier: MIT
"""The translation call."""

from __future__ import annotations

from threadloom.text.language import current


def _(message: str) -> str:
    """Translate a text into the language in use."""
    return current().translations.gettext(message) if message else ""


def N_(message: str) -> str:  # noqa: N802 - the name that extraction tools know
    """Mark a text for translation where it is declared; `_` translates it where it is shown."""
    return message


def ngettext(singular: str, plural: str, n: int) -> str:
    """Translate a text that has one form for one thing and others for several."""
    return current().translations.ngettext(singular, plural, n)
