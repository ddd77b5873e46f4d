# SPDX-License-Identifier: MIT
"""Reading of message catalogs as their translators wrote them (`.po`)."""

from __future__ import annotations

import gettext
import io
import logging
import string
from importlib.resources.abc import Traversable

from babel.messages.catalog import Catalog, Message, TranslationError
from babel.messages.checkers import num_plurals
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

_LOG = logging.getLogger(__name__)


def read_catalog(source: Traversable) -> gettext.GNUTranslations | None:
    """Read a ``.po`` file; None, with a warning in the log, if it is damaged.

    Entries that are fuzzy, obsolete or not translated yet are left out and stay English; so do
    those whose plural forms or placeholders are wrong.
    """
    try:
        catalog = read_po(io.BytesIO(source.read_bytes()), abort_invalid=True)
        for message in list(catalog):
            if message.id and (problem := _problem(catalog, message)):
                _LOG.warning("%s, line %s: %s", source, message.lineno, problem)
                catalog.delete(message.id, message.context)
        compiled = io.BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        return gettext.GNUTranslations(compiled)
    except (PoFileError, ValueError, LookupError, OSError) as error:
        _LOG.warning("%s cannot be used: %s", source, error)
        return None


def _problem(catalog: Catalog, message: Message) -> str:
    """What is wrong with a translation; empty if nothing is, or if there is none yet."""
    if message.fuzzy or not any(_forms(message.string)):
        return ""
    if not all(_forms(message.string)):
        return "a plural form is missing"
    try:
        num_plurals(catalog, message)
    except TranslationError as error:
        return str(error)
    known = set().union(*(_placeholders(text) for text in _forms(message.id)))
    for form in _forms(message.string):
        try:
            unknown = _placeholders(form) - known
        except ValueError as error:
            return str(error)
        if unknown:
            return f"unknown placeholder {', '.join(sorted(unknown))}"
    return ""


def _forms(texts: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (texts or "",) if isinstance(texts, str | None) else tuple(texts)


def _placeholders(text: str) -> set[str]:
    return {name for _before, name, _spec, _conversion in string.Formatter().parse(text) if name}
