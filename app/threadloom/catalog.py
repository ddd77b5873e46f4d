# SPDX-License-Identifier: MIT
"""Reading of message catalogs, compiled (`.mo`) or as their translator wrote them (`.po`)."""

from __future__ import annotations

import ast
import gettext
import io
import struct
from collections.abc import Iterator
from importlib.resources.abc import Traversable

_MAGIC = 0x950412DE


def read_catalog(folder: Traversable, domain: str) -> gettext.GNUTranslations | None:
    """Read a language's catalog, or return None if the folder has none.

    A `.po` file is enough, so that a new language is one text file and no build step.
    """
    compiled, source = folder / f"{domain}.mo", folder / f"{domain}.po"
    if compiled.is_file():
        return gettext.GNUTranslations(io.BytesIO(compiled.read_bytes()))
    if source.is_file():
        return gettext.GNUTranslations(io.BytesIO(compile_po(source.read_text("utf-8"))))
    return None


def compile_po(source: str) -> bytes:
    """Turn the text of a `.po` file into the bytes of its `.mo` file.

    Entries that are fuzzy, obsolete or not translated yet are left out and stay English.
    """
    messages: dict[bytes, bytes] = {}
    for entry in _entries(source):
        key = entry.get("msgid", "")
        if "msgctxt" in entry:
            key = f"{entry['msgctxt']}\x04{key}"
        if "msgid_plural" in entry:
            key += f"\x00{entry['msgid_plural']}"
        forms = [text for field, text in entry.items() if field.startswith("msgstr")]
        if all(forms):
            messages[key.encode()] = "\x00".join(forms).encode()
    return _pack(sorted(messages.items()))


def _entries(source: str) -> Iterator[dict[str, str]]:
    """Yield each entry as its fields in order; a blank line or a new `msgid` ends one."""
    entry: dict[str, str] = {}
    field, fuzzy = "", False
    for line in (*source.splitlines(), ""):
        text = line.strip()
        starts = text.startswith(("#", "msgctxt ")) or (
            text.startswith("msgid ") and "msgid" in entry
        )
        if entry and "msgid" in entry and (not text or starts):
            if not fuzzy:
                yield entry
            entry, fuzzy = {}, False
        if text.startswith("#,"):
            fuzzy = "fuzzy" in text
        elif text.startswith("msg"):
            field, _, literal = text.partition(" ")
            entry[field] = _unquoted(literal)
        elif text.startswith('"'):
            entry[field] += _unquoted(text)


def _unquoted(literal: str) -> str:
    value = ast.literal_eval(literal.strip())
    if not isinstance(value, str):
        raise ValueError(literal)
    return value


def _pack(messages: list[tuple[bytes, bytes]]) -> bytes:
    header, table = 7 * 4, len(messages) * 8
    offset = header + 2 * table
    tables: list[bytes] = []
    texts: list[bytes] = []
    for column in (0, 1):
        for pair in messages:
            tables.append(struct.pack("<II", len(pair[column]), offset))
            texts.append(pair[column] + b"\x00")
            offset += len(pair[column]) + 1
    head = struct.pack("<7I", _MAGIC, 0, len(messages), header, header + table, 0, 0)
    return b"".join((head, *tables, *texts))
