# SPDX-License-Identifier: MIT
"""Workspaces as files that a user can read, and the one that is kept between starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs

from threadloom.services.storage.checked_values import checked, plain
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

FORMAT = Format(kind="workspace", version=1)

KEYS = frozenset(field.name for field in fields(Workspace))
"""Of the file, each a choice of the workspace."""


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
    known = {name: content.pop(name) for name in KEYS & set(content)}
    try:
        return LoadedWorkspace(checked(Workspace, known), content)
    except ValueRefusedError as error:
        raise FileRefusedError(path, error.reason, line_of(text, error.key)) from error


def save_workspace(
    workspace: Workspace, path: Path, unknown: Mapping[str, object] | None = None
) -> None:
    """Write a workspace in one step; the file that was there is kept as ``….bak``.

    Keys in ``unknown`` are written along; without it, those of the file that was there.

    Raises:
        OSError: If the folder cannot be written to; the file is then as it was.
    """
    kept = unknown_keys(path, FORMAT, KEYS) if unknown is None else unknown
    write(path, {**plain(workspace), **kept}, FORMAT)
