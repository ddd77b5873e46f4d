# SPDX-License-Identifier: MIT
"""Workspaces as files that a user can read, and the one that is kept between starts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.services.storage.versioned_file import (
    FileRefusedError,
    Format,
    ValueRefusedError,
    line_of,
    read,
    unknown_keys,
    write,
)
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _, count

FORMAT = Format(kind="workspace", version=1)

FAR = 10**30
"""Numbers from here on are refused. Ones that no launch can have are read: they are explained."""

Check = Callable[[str, Any], object]


@dataclass(frozen=True, slots=True)
class LoadedWorkspace:
    """A workspace from a file."""

    workspace: Workspace
    unknown: Mapping[str, object] = field(default_factory=dict)
    """Keys that this program does not know; given to `save_workspace`, they are kept."""


def last_session_path() -> Path:
    """File of the choices that are kept between starts."""
    return platformdirs.user_state_path("threadloom", appauthor=False) / "session.json"


def load_workspace(path: Path) -> LoadedWorkspace:
    """Read a workspace. Whether its operation exists is another question.

    Raises:
        FileRefusedError: With the line, if the file is damaged, newer, or has a wrong value.
    """
    content, text = read(path, FORMAT)
    known = {name: content.pop(name) for name in CHECKS if name in content}
    try:
        values = {name: CHECKS[name](name, value) for name, value in known.items()}
    except ValueRefusedError as error:
        raise FileRefusedError(path, error.reason, line_of(text, error.key)) from error
    return LoadedWorkspace(Workspace().with_(**values), content)


def save_workspace(
    workspace: Workspace, path: Path, unknown: Mapping[str, object] | None = None
) -> None:
    """Write a workspace in one step; the file that was there is kept as ``….bak``.

    Keys in ``unknown`` are written along; without it, those of the file that was there.

    Raises:
        OSError: If the folder cannot be written to; the file is then as it was.
    """
    values = {f.name: _plain(getattr(workspace, f.name)) for f in fields(workspace)}
    kept = unknown_keys(path, FORMAT, CHECKS) if unknown is None else unknown
    write(path, {**values, **kept}, FORMAT)


def _plain(value: object) -> object:
    if isinstance(value, Dim3):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str) and "\n" in value:
        return value.split("\n")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueRefusedError(key, _("“{key}” must be a text.").format(key=key))
    return value


def _name(key: str, value: Any) -> str:
    if not re.fullmatch(r"[^\W\d]\w*", _text(key, value)):
        text = _("“{key}” must be a name of letters, digits and underscores.")
        raise ValueRefusedError(key, text.format(key=key))
    return str(value)


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueRefusedError(key, _("“{key}” must be true or false.").format(key=key))
    return value


def _whole(least: int, most: int) -> Callable[[str, Any], int]:
    def check(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueRefusedError(key, _("“{key}” must be a whole number.").format(key=key))
        if not least <= value <= most:
            text = _("“{key}” is {value}; it must be between {least} and {most}.").format(
                key=key, value=_short(value), least=count(least), most=count(most)
            )
            raise ValueRefusedError(key, text)
        return value

    return check


def _short(value: int) -> str:
    """A number that may have any length."""
    return count(value) if abs(value) <= FAR else _("far away")


def _one_of(*allowed: str) -> Check:
    def check(key: str, value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            text = _("“{key}” must be one of: {allowed}.")
            raise ValueRefusedError(key, text.format(key=key, allowed=", ".join(allowed)))
        return value

    return check


def _engine(key: str, value: Any) -> EngineChoice:
    return EngineChoice(str(_one_of(*EngineChoice)(key, value)))


def _optional(check: Check) -> Check:
    return lambda key, value: None if value is None else check(key, value)


def _dims(key: str, value: Any) -> Dim3:
    if not isinstance(value, list) or not 1 <= len(value) <= 3:
        text = _("“{key}” must be a list of one to three whole numbers.")
        raise ValueRefusedError(key, text.format(key=key))
    return Dim3.of([_whole(-FAR, FAR)(key, extent) for extent in value])


def _sizes(key: str, value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        text = _("“{key}” must name each axis with its extent.")
        raise ValueRefusedError(key, text.format(key=key))
    return {_name(key, axis): _whole(-FAR, FAR)(axis, extent) for axis, extent in value.items()}


def _source(key: str, value: Any) -> str:
    """A text, or a list of its lines."""
    lines = value if isinstance(value, list) else [value]
    if not all(isinstance(line, str) and "\0" not in line for line in lines):
        raise ValueRefusedError(key, _("“{key}” must be a list of lines.").format(key=key))
    return "\n".join(lines)


CHECKS: Mapping[str, Check] = {
    "operation": _name,
    "variant": _name,
    "sizes": _sizes,
    "dtype": _one_of("float16", "float32", "float64", "int32"),
    "block": _dims,
    "grid": _dims,
    "grid_follows_size": _flag,
    "shared_bytes": _optional(_whole(-FAR, FAR)),
    "engine": _engine,
    "device": _whole(0, 1023),
    "model": _text,
    "seed": _whole(0, 2**63 - 1),
    "live": _flag,
    "source": _optional(_source),
    "entry": _optional(_text),
    "source_file": _optional(_text),
}
"""What each key must be; a value that passes is the workspace's."""
