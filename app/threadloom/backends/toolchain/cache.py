# SPDX-License-Identifier: MIT
"""Compiled libraries by content: bounded, and safe under several processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import platformdirs

LIMIT_BYTES = 256 * 1024 * 1024
"""Size above which the least recently used libraries are removed."""

_ENDINGS = {"win32": ".dll", "darwin": ".dylib"}


@dataclass(frozen=True, slots=True)
class LibraryCache:
    """One folder per library, named by the digest of all that went into it."""

    root: Path
    limit_bytes: int = LIMIT_BYTES

    @property
    def entries(self) -> Path:
        """Folder of the finished libraries."""
        return self.root / "libraries"

    @property
    def compiler_files(self) -> Path:
        """Folder of the compiler's own runtime, which all libraries share."""
        return _program_folder() / "compiler"

    def library_in(self, folder: Path) -> Path:
        """Path of the library within an entry or a scratch folder."""
        return folder / ("library" + _ENDINGS.get(sys.platform, ".so"))

    def find(self, key: str) -> Path | None:
        """The entry's folder, marked as used now; None if there is none."""
        folder = self.entries / key
        try:
            _touch(folder)
        except OSError:
            return None
        return folder if self.library_in(folder).exists() else None

    def scratch(self) -> Path:
        """A new folder on the same file system, to build in; `store` or the caller removes it."""
        self.root.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="build-", dir=self.root))

    def store(self, key: str, scratch: Path) -> Path:
        """Make a finished folder the entry, in one step; another process' equal one may win."""
        folder = self.entries / key
        self.entries.mkdir(parents=True, exist_ok=True)
        try:
            scratch.replace(folder)
        except OSError:
            if not self.library_in(folder).exists():
                raise
            shutil.rmtree(scratch, ignore_errors=True)
        _touch(folder)
        self._evict(keep=folder)
        return folder

    def _evict(self, keep: Path) -> None:
        """Remove the least recently used ones, once what was left of the room is used up.

        To look at all of them takes longer than many a compilation.
        """
        left = self._room() - _size(keep)
        if left < 0:
            left = self._sweep(keep)
        with contextlib.suppress(OSError):
            self._note.write_text(f"{self.limit_bytes} {left}", encoding="ascii")

    @property
    def _note(self) -> Path:
        return self.root / "room.txt"

    def _room(self) -> int:
        """Bytes that may still be added, as the last process left word; rather too few."""
        try:
            limit, left = self._note.read_text(encoding="ascii").split()
            return int(left) if int(limit) == self.limit_bytes else 0
        except (OSError, ValueError):
            return 0

    def _sweep(self, keep: Path) -> int:
        aged = sorted((_used(f), _size(f), f) for f in self.entries.iterdir() if f != keep)
        total = _size(keep) + sum(size for _when, size, _folder in aged)
        wanted = self.limit_bytes - self.limit_bytes // 8 if total > self.limit_bytes else total
        for _when, size, folder in aged:
            if total <= wanted:
                break
            shutil.rmtree(folder, ignore_errors=True)
            total -= size
        return self.limit_bytes - total


def default_cache() -> LibraryCache:
    """The program's cache: ``THREADLOOM_CACHE_DIR``, else the system's folder for caches."""
    return LibraryCache(_program_folder() / "compiled")


def _program_folder() -> Path:
    chosen = os.environ.get("THREADLOOM_CACHE_DIR")
    return Path(chosen or platformdirs.user_cache_dir("threadloom"))


def _touch(folder: Path) -> None:
    # The system's own "now" for files moves in steps of milliseconds, too coarse to order by.
    now = time.time_ns()
    os.utime(folder, ns=(now, now))


def _used(folder: Path) -> int:
    with contextlib.suppress(OSError):
        return folder.stat().st_mtime_ns
    return 0


def _size(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            total += file.stat().st_size
    return total
