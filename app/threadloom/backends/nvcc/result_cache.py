# SPDX-License-Identifier: MIT
"""Answers of NVIDIA's compiler by content: small files, bounded, safe under several processes."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from threadloom.backends.toolchain import default_cache
from threadloom.model.program import Resources

MOST_KEPT = 2000
"""Files of about a kilobyte; beyond them the least recently used are removed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer."""

    log: str
    resources: Resources | None
    """None if the source was refused."""


@dataclass(frozen=True, slots=True)
class KeptResults:
    """A folder of answers, each named by the digest of all that went into it."""

    folder: Path
    most: int = MOST_KEPT

    @staticmethod
    def default() -> KeptResults:
        """Those of the program's own cache."""
        return KeptResults(default_cache().root.parent / "nvcc")

    def find(self, key: str) -> Entry | None:
        """The answer of this name, marked as used now; None if there is none that can be read."""
        path = self._path(key)
        try:
            content = json.loads(path.read_text("utf-8"))
            resources = content["resources"]
            entry = Entry(content["log"], None if resources is None else Resources(**resources))
            os.utime(path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return entry

    def store(self, key: str, entry: Entry) -> None:
        """Keep an answer, in one step; a disk that takes none is no reason to fail."""
        content = {
            "log": entry.log,
            "resources": None if entry.resources is None else asdict(entry.resources),
        }
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(content, file)
            Path(name).replace(self._path(key))
            self._evict()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _evict(self) -> None:
        files = list(self.folder.glob("*.json"))
        if len(files) > self.most:
            files.sort(key=lambda path: path.stat().st_mtime_ns)
            for path in files[: len(files) - self.most]:
                path.unlink(missing_ok=True)
