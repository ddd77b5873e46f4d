# SPDX-License-Identifier: MIT
"""The language in use: its translations and the name that number formats are looked up by."""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable

DOMAIN = "threadloom"
"""Name of the message catalogs, without their ending."""
SOURCE_LANGUAGE = "en"
"""The language that the texts are written in."""
VARIABLE = "THREADLOOM_LANGUAGE"
"""Environment variable that names the language; it overrides the setting and the system."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language that texts and numbers can be written in."""

    name: str = SOURCE_LANGUAGE
    """Code such as ``de`` or ``pt_BR``."""
    translations: gettext.NullTranslations = field(default_factory=gettext.NullTranslations)

    @property
    def is_source(self) -> bool:
        """Whether texts and numbers are written as they stand in the source."""
        return self.name == SOURCE_LANGUAGE


_ENGLISH = Language()
_in_use = _ENGLISH
_override: ContextVar[Language | None] = ContextVar("language", default=None)


def current() -> Language:
    """The language of the next text."""
    return _override.get() or _in_use


@contextmanager
def in_english() -> Iterator[None]:
    """Write every text of this block in English, as for JSON and logs."""
    token = _override.set(_ENGLISH)
    try:
        yield
    finally:
        _override.reset(token)


def use_language(language: str = "") -> str:
    """Switch every later text to a language, by default the system's, and return the one found.

    A language without a catalog falls back to English: a missing translation is no error.
    """
    global _in_use
    _in_use = next(_found(language), _ENGLISH)
    return _in_use.name


def languages() -> tuple[str, ...]:
    """Name the languages that the program can be shown in, English first."""
    folder = _folder()
    entries = list(folder.iterdir()) if folder.is_dir() else []
    names = {entry.name.removesuffix(".po") for entry in entries}
    return (SOURCE_LANGUAGE, *sorted(name for name in names if _source(name) is not None))


def language_name(language: str) -> str:
    """A language in its own words, such as ``Deutsch``; what is not one stays as it is."""
    if language == SOURCE_LANGUAGE:
        return "English"
    if _source(language) is None:
        return language
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(language).display_name or language
    except (UnknownLocaleError, ValueError):
        return language


def _found(language: str) -> Iterator[Language]:
    for candidate in _candidates(language):
        if candidate == SOURCE_LANGUAGE:
            return
        source = _source(candidate)
        if source is not None:
            # Babel is loaded for other languages only: English starts without it.
            from threadloom.text.catalog import read_catalog

            translations = read_catalog(source)
            if translations is not None:
                yield Language(candidate, translations)


def _folder() -> Traversable:
    return resources.files("threadloom_assets") / "translations"


def _source(language: str) -> Traversable | None:
    """The ``.po`` file of a language: in its folder as gettext has it, or by itself."""
    folder = _folder()
    places = (folder / language / "LC_MESSAGES" / f"{DOMAIN}.po", folder / f"{language}.po")
    return next((place for place in places if place.is_file()), None)


def _candidates(language: str) -> Iterator[str]:
    chosen = os.environ.get(VARIABLE) or language
    for name in [chosen] if chosen else _system_languages():
        plain = name.replace("-", "_").partition(".")[0].partition("@")[0]
        yield plain
        yield plain.partition("_")[0]


def _system_languages() -> list[str]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.split(":")
    return [locale.getlocale()[0] or SOURCE_LANGUAGE]
