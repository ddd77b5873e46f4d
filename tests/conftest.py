# SPDX-License-Identifier: MIT
"""What every test can rely on: no screen, no folder of the user, and nothing left behind.

A test fails on an unexpected warning or error in the log, and on a thread, a child process or a
running `QTimer` that outlives it. Python's warnings and Qt's fail it too (see `pyproject.toml`).
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest

pytest_plugins = ["pytester"]

GRACE_SECONDS = 3.0
"""How long a thread or child that was told to stop may take to be gone."""

T = TypeVar("T")

_FOLDER_VARIABLE = "THREADLOOM_TESTS_FOLDER"
_IS_XDIST_WORKER = "PYTEST_XDIST_WORKER" in os.environ


# Surroundings, set before anything imports Qt or asks for a folder ------------------------------


def _prepare_surroundings() -> Path:
    """Point every user folder into one temporary folder, which xdist's workers share."""
    if not (_IS_XDIST_WORKER and _FOLDER_VARIABLE in os.environ):
        os.environ[_FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="threadloom-tests-")
    shared = Path(os.environ[_FOLDER_VARIABLE])
    own = shared / os.environ.get("PYTEST_XDIST_WORKER", "main")
    cache = Path(os.environ.get("THREADLOOM_TESTS_CACHE", shared / "cache"))
    folders = {
        "XDG_CONFIG_HOME": own / "config",
        "XDG_DATA_HOME": own / "data",
        "XDG_STATE_HOME": own / "state",
        "XDG_RUNTIME_DIR": own / "runtime",
        "XDG_CACHE_HOME": cache,
        "THREADLOOM_CACHE_DIR": cache / "threadloom",
        "WIN_PD_OVERRIDE_APPDATA": own / "config",
        "WIN_PD_OVERRIDE_LOCAL_APPDATA": own / "data",
    }
    for variable, folder in folders.items():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ[variable] = str(folder)
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
    return shared


_SHARED_FOLDER = _prepare_surroundings()

hypothesis.settings.register_profile("threadloom", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("threadloom")


def pytest_unconfigure() -> None:
    """Remove the temporary user folders, once all workers are done with them."""
    if not _IS_XDIST_WORKER:
        shutil.rmtree(_SHARED_FOLDER, ignore_errors=True)


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """The temporary folder of this test run, the same for all of xdist's workers."""
    return _SHARED_FOLDER


# The log ----------------------------------------------------------------------------------------


class LogGuard(logging.Handler):
    """Collects warnings and errors, and tells expected ones from the others."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []
        self.expected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def validation_messages(self) -> list[str]:
        """Word what was logged but not expected, and what was expected but not logged."""
        messages = [f"{r.levelname} {r.name}: {r.getMessage()}" for r in self.records]
        stray = [m for m in messages if not any(re.search(e, m) for e in self.expected)]
        missing = [e for e in self.expected if not any(re.search(e, m) for m in messages)]
        return [f"unexpected log: {m}" for m in stray] + [f"not logged: {e}" for e in missing]


@pytest.fixture(autouse=True)
def _log_guard() -> Iterator[LogGuard]:
    guard = LogGuard()
    logging.getLogger().addHandler(guard)
    yield guard
    logging.getLogger().removeHandler(guard)
    if validation_messages := guard.validation_messages():
        pytest.fail("\n".join(validation_messages), pytrace=False)


@pytest.fixture
def expect_log(_log_guard: LogGuard) -> Callable[[str], None]:
    """Say that a warning or error matching a regular expression must be logged in this test."""
    return _log_guard.expected.append


# What must not outlive a test -------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _leak_guard(request: pytest.FixtureRequest) -> Iterator[None]:
    uses_qt = "qapp" in request.fixturenames
    threads, children = set(_threads()), set(_children())
    if uses_qt:
        gc.freeze()  # so that a look at all objects, afterwards, is one at those of this test
    yield
    if uses_qt:
        _delete_what_qt_was_told_to()
    leaks = [f"thread {thread.name!r}" for thread in _lasting(_threads, threads)]
    leaks += [f"child process {pid}: {_command(pid)}" for pid in _lasting(_children, children)]
    if uses_qt:
        leaks += map(repr, _running_qt_things())
        gc.unfreeze()
    if leaks:
        pytest.fail("left behind: " + "; ".join(leaks), pytrace=False)


def _lasting(look: Callable[[], Iterable[T]], before: set[T]) -> set[T]:
    """Return what is new and still there after the grace period."""
    deadline = time.monotonic() + GRACE_SECONDS
    while (new := set(look()) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    return new


def _threads() -> list[threading.Thread]:
    """List Python's own threads; stand-ins for Qt's threads linger after these have ended."""
    return [t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)]


def _children() -> Iterator[int]:
    """Find the ids of child processes that run, other than the helper of shared memory."""
    pids = {child.pid for child in multiprocessing.active_children() if child.pid is not None}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = status.read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # the process has ended since
        if int(parent) == os.getpid() and state != "Z":
            pids.add(int(status.parent.name))
    return (pid for pid in pids if "multiprocessing.resource_tracker" not in _command(pid))


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return "?"


def _running_qt_things() -> list[object]:
    """List the timers and threads of Qt that were made since the freeze and are running."""
    if "PySide6.QtCore" not in sys.modules:
        return []
    import shiboken6
    from PySide6.QtCore import QThread, QTimer

    found: list[object] = []
    for thing in gc.get_objects():
        kind = type(thing)
        if not issubclass(kind, QTimer | QThread) or not shiboken6.isValid(thing):
            continue
        if thing.isActive() if isinstance(thing, QTimer) else thing.isRunning():
            found.append(thing)
    return found


def _delete_what_qt_was_told_to() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
