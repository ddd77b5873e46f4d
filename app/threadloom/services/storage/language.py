# SPDX-License-Identifier: MIT
"""The language that the user chose in the settings."""

from __future__ import annotations

from threadloom.services.storage.settings import SYSTEM, Settings, load_settings, settings_path
from threadloom.services.storage.versioned_file import FileRefusedError
from threadloom.text import use_language


def use_chosen_language() -> str:
    """Word every later text in the language of the settings; return the one found.

    A settings file that cannot be read leaves the choice to the system; the window reports it.
    """
    if not settings_path().exists():
        return use_language()
    try:
        return follow_language(load_settings().settings)
    except FileRefusedError:
        return use_language()


def follow_language(settings: Settings) -> str:
    """Word every later text in the language of these settings; return the one found."""
    return use_language("" if settings.language == SYSTEM else settings.language)
