# SPDX-License-Identifier: MIT
"""Readable files with a version in them: JSON that is checked, migrated and never lost."""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from threadloom.text import _

Content = dict[str, Any]
Migration = Callable[[Content], Content]
"""From one version's content to the next one's."""


class FileRefusedError(Exception):
    """A file was not taken, and nothing of it was used."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        self.path = path
        self.reason = reason
        self.line = line
        where = _("{path}, line {line}: {reason}") if line is not None else _("{path}: {reason}")
        super().__init__(where.format(path=path, line=line, reason=reason))


class ValueRefusedError(Exception):
    """The value of one key is not of the kind that it must be."""

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    kind: str
    """Said in the file's first line: ``workspace``."""
    version: int
    migrations: Mapping[int, Migration] = field(default_factory=dict)
    """By the version that each starts from; one for every version before the present one."""


def read(path: Path, form: Format) -> tuple[Content, str]:
    """Read a file's content, brought up to the present version, and its text.

    Raises:
        FileRefusedError: If it cannot be read, is damaged, of another kind, or newer.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FileRefusedError(path, _("not valid UTF-8."), line) from error
    except OSError as error:
        raise FileRefusedError(path, error.strerror or str(error)) from error
    return _migrated(path, text, _parsed(path, text), form), text


def _parsed(path: Path, text: str) -> Content:
    try:
        content = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        reason = _("invalid JSON ({words}).").format(words=error.msg)
        raise FileRefusedError(path, reason, error.lineno) from error
    except ValueRefusedError as error:
        raise FileRefusedError(path, error.reason, line_of(text, error.key)) from error
    except (ValueError, RecursionError) as error:
        reason = _("invalid JSON ({words}).").format(words=error)
        raise FileRefusedError(path, reason) from error
    if not isinstance(content, dict):
        raise FileRefusedError(path, _("expected a JSON object."), 1)
    return content


def _once_each(pairs: list[tuple[str, Any]]) -> Content:
    content: Content = {}
    for key, value in pairs:
        if key in content:
            raise ValueRefusedError(key, _("duplicate key “{key}”.").format(key=key))
        content[key] = value
    return content


def _no_number(word: str) -> NoReturn:
    raise ValueError(_("{word} is not a number").format(word=word))


def _migrated(path: Path, text: str, content: Content, form: Format) -> Content:
    kind, version = content.pop("threadloom", None), content.pop("version", None)
    if kind != form.kind:
        reason = _("not a Threadloom {kind}.").format(kind=form.kind)
        raise FileRefusedError(path, reason, line_of(text, "threadloom") or 1)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        reason = _("the version must be a positive integer.")
        raise FileRefusedError(path, reason, line_of(text, "version") or 1)
    if version > form.version:
        reason = _("version {version} is newer than the latest supported version {known}.")
        reason = reason.format(version=version, known=form.version)
        raise FileRefusedError(path, reason, line_of(text, "version"))
    for start in range(version, form.version):
        content = form.migrations[start](content)
    return content


def unknown_keys(path: Path, form: Format, known: Container[str]) -> Content:
    """What a file holds beside the keys that are known; nothing if it cannot be read."""
    if not path.exists():
        return {}
    try:
        content, _text = read(path, form)
    except FileRefusedError:
        return {}
    return {key: value for key, value in content.items() if key not in known}


def line_of(text: str, key: str) -> int | None:
    """Line that gives the value of a key, from 1; None if there is none."""
    match = re.search(rf'"{re.escape(key)}"\s*:', text)
    return text[: match.start()].count("\n") + 1 if match else None


def write(path: Path, content: Mapping[str, object], form: Format) -> None:
    """Write a file in one step, and keep what was there.

    A file that could be read is kept as ``….bak``, one that could not as ``….unread``.

    Raises:
        OSError: If the folder cannot be written to; the file is then as it was.
    """
    whole = {"threadloom": form.kind, "version": form.version, **content}
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        _keep(path, form)
    _replace(path, _as_text(whole).encode("utf-8", "backslashreplace"))


def _as_text(whole: Mapping[str, object]) -> str:
    """JSON with one key a line; lists of numbers stay on their line."""
    rows = [f"  {json.dumps(key)}: {_value(value)}" for key, value in whole.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _value(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        rows = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
        return f"[\n{rows}\n  ]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _keep(path: Path, form: Format) -> None:
    try:
        read(path, form)
        kept = path.with_name(f"{path.name}.bak")
    except FileRefusedError:
        kept = path.with_name(f"{path.name}.unread")
    copy = _beside(path)
    shutil.copy2(path, copy)
    copy.replace(kept)


def _replace(path: Path, data: bytes) -> None:
    """Whoever opens the file finds the old content or the new one, never a part."""
    new = _beside(path)
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """A new name in the same folder, so that the file can be moved in one step."""
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}")
