# SPDX-License-Identifier: MIT
"""From source texts to a shared library, through the cache."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.toolchain.cache import LibraryCache, default_cache
from threadloom.backends.toolchain.system import (
    runtime_is_missing,
    symbols_are_missing,
    system_libraries,
)
from threadloom.backends.toolchain.zig import processor_identity, zig_binary, zig_version
from threadloom.model.message import _

COMPILE_TIMEOUT_S = 120.0
"""A compiler that takes longer is stopped; the first use on a machine builds its own runtime."""

_DISK_FULL = os.strerror(errno.ENOSPC)
_UNITS = (".c", ".cpp", ".o", ".obj", ".bc", ".ll")


class ToolchainError(Exception):
    """The compiler refused; `log` holds its words."""

    def __init__(self, log: str) -> None:
        self.log = log
        super().__init__(log)


@dataclass(frozen=True, slots=True)
class Built:
    """A library and what the compiler said of it."""

    path: Path
    log: str
    from_cache: bool


def compile_shared(sources: Mapping[str, str], flags: Sequence[str] = ()) -> Path:
    """Compile C or C++ into a shared library and give its path.

    ``sources`` maps file names to texts; names that end in ``.c`` or ``.cpp`` are compiled, others
    (headers) only lie beside them. Code is made for this machine's processor.

    Raises:
        ToolchainError: If the compiler refuses.
        EngineUnavailableError: If there is no compiler and the cache does not hold the library.
    """
    return build_shared(sources, flags).path


def build_shared(
    sources: Mapping[str, str | bytes],
    flags: Sequence[str] = (),
    cache: LibraryCache | None = None,
    shared: bool = True,
) -> Built:
    """Like `compile_shared`, with the compiler's log; ``shared=False`` makes an object file.

    Raises:
        ToolchainError: If the compiler refuses.
        EngineUnavailableError: If there is no compiler, or no folder to keep libraries in.
    """
    cache = cache or default_cache()
    kind = "-shared" if shared else "-c"
    how = [*flags, "-fPIC", *([] if "-S" in flags else [kind])]
    key = _digest(sources, how)
    if (entry := cache.find(key)) is not None:
        log = (entry / "log.txt").read_text(encoding="utf-8")
        return Built(cache.library_in(entry), log, from_cache=True)
    zig = zig_binary()
    try:
        return _built(zig, cache, key, sources, how)
    except OSError as error:
        raise _no_room(cache, error.strerror or str(error)) from error
    except ToolchainError as error:
        if _DISK_FULL in error.log:
            raise _no_room(cache, _DISK_FULL) from error
        raise


def _built(
    zig: Path,
    cache: LibraryCache,
    key: str,
    sources: Mapping[str, str | bytes],
    flags: Sequence[str],
) -> Built:
    scratch = cache.scratch()
    try:
        log = _compile(zig, cache, scratch, sources, flags)
        entry = cache.store(key, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Built(cache.library_in(entry), log, from_cache=False)


def _no_room(cache: LibraryCache, reason: str) -> EngineUnavailableError:
    text = _(
        "Kernels cannot be compiled in {folder}: {reason}. "
        "The variable THREADLOOM_CACHE_DIR may name another folder."
    )
    return EngineUnavailableError(text.format(folder=cache.root, reason=reason))


def _digest(sources: Mapping[str, str | bytes], flags: Sequence[str]) -> str:
    whole = hashlib.sha256()
    parts = [zig_version(), processor_identity(), *platform.libc_ver(), *flags]
    for name in sorted(sources):
        parts += [name, hashlib.sha256(_encoded(sources[name])).hexdigest()]
    for part in parts:
        whole.update(part.encode() + b"\0")
    return whole.hexdigest()


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _compile(
    zig: Path,
    cache: LibraryCache,
    scratch: Path,
    sources: Mapping[str, str | bytes],
    flags: Sequence[str],
) -> str:
    """Compile in the scratch folder, and leave only the library and the log there."""
    work = scratch / "work"
    work.mkdir()
    for name, text in sources.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encoded(text))
    units = [name for name in sources if name.endswith(_UNITS)]
    driver = "cc" if all(name.endswith((".c", ".o")) for name in units) else "c++"
    library = cache.library_in(scratch)
    if "-shared" in flags and system_libraries():
        log, objects = _objects(zig, driver, units, flags, work, cache)
        log += _linked(zig, [driver, *objects, *flags, "-o", str(library)], work, cache)
    else:
        log = _call(zig, [driver, *units, *flags, "-o", str(library)], work, cache)
    (scratch / "log.txt").write_text(log, encoding="utf-8")
    shutil.rmtree(work)
    return log


def _objects(
    zig: Path,
    driver: str,
    units: Sequence[str],
    flags: Sequence[str],
    work: Path,
    cache: LibraryCache,
) -> tuple[str, list[str]]:
    """Compile what is source yet; gives the log and what is to be linked.

    That is a step of its own because ``-nostdlib``, with which is linked, also takes the C headers
    away that the compiler brings along. A machine without a C library's headers has no others.
    """
    log, objects = "", []
    how = [flag for flag in flags if flag != "-shared" and not flag.startswith("-Wl,")]
    for unit in units:
        if unit.endswith((".o", ".obj", ".bc")):
            objects.append(unit)
            continue
        objects.append(f"{unit}.o")
        log += _call(zig, [driver, unit, *how, "-c", "-o", objects[-1]], work, cache)
    return log, objects


def _linked(zig: Path, arguments: Sequence[str], work: Path, cache: LibraryCache) -> str:
    """Link against the loaded C library alone; with the compiler's runtime if that is needed."""
    alone = [*arguments, "-nostdlib", *system_libraries()]
    try:
        return _call(zig, [*alone, "-Wl,-z,defs"], work, cache)
    except ToolchainError as error:
        if not symbols_are_missing(error.log):
            raise
        # A library may lack other symbols: to refuse that is for whoever loads it.
        return _call(zig, arguments if runtime_is_missing(error.log) else alone, work, cache)


def _call(zig: Path, arguments: Sequence[str], work: Path, cache: LibraryCache) -> str:
    # Objects of one compile are of no use to the next, so they go with the scratch folder; the
    # compiler's own runtime is kept.
    surroundings = {
        **os.environ,
        "ZIG_GLOBAL_CACHE_DIR": str(cache.compiler_files),
        "ZIG_LOCAL_CACHE_DIR": str(work / "zig"),
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            [str(zig), *arguments],
            cwd=work,
            env=surroundings,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMPILE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ToolchainError("The compiler took too long and was stopped.") from None
    if done.returncode != 0:
        raise ToolchainError(done.stderr or done.stdout)
    return done.stderr
