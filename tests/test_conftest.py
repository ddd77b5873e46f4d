# SPDX-License-Identifier: MIT
"""The guards around every test see what they are there for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

INNER_TESTS = """
import logging, subprocess, sys, threading, warnings
import pytest
from PySide6.QtCore import QObject, QTimer, qWarning

kept = []

def test_fine(qapp): pass
def test_expected_log(expect_log):
    expect_log("gone away")
    logging.getLogger("x").warning("it has gone away")

def test_missing_log(expect_log): expect_log("gone away")
def test_stray_log(): logging.getLogger("x").error("boom")
def test_python_warning(): warnings.warn("old")
def test_qt_warning(qapp): qWarning("from Qt")
def test_thread():
    kept.append(threading.Event())
    threading.Thread(target=kept[-1].wait, name="lingering").start()
def test_child():
    code = "import time; time.sleep(30)"
    kept.append(subprocess.Popen([sys.executable, "-c", code]))
def test_timer(qapp):
    kept.append(QTimer(interval=60_000))
    kept[-1].start()
def test_child_of_a_deleted_object_is_no_leak(qapp):
    parent = QObject()
    QTimer(parent, interval=60_000).start()
    parent.deleteLater()
    kept.append(parent)

def test_tidy_up():
    kept[0].set()
    kept[1].kill()
    kept[1].wait()
"""


def test_guards(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    source = Path(__file__).with_name("conftest.py").read_text("utf-8")
    pytester.makeconftest(source.replace("GRACE_SECONDS = 3.0", "GRACE_SECONDS = 0.1"))
    pytester.makepyfile(INNER_TESTS)
    pytester.makeini(
        "[pytest]\nfilterwarnings = error\nqt_api = pyside6\nqt_log_level_fail = WARNING\n"
    )

    result = pytester.runpytest_subprocess("-p", "no:xdist", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=9, failed=2, errors=5)
    for line in (
        "not logged: gone away",
        "unexpected log: ERROR x: boom",
        "*UserWarning: old",
        "*from Qt*",
        "*left behind: thread 'lingering'",
        "*left behind: child process *time.sleep*",
        "*left behind: *QTimer*",
    ):
        result.stdout.fnmatch_lines_random([line])


def test_no_folder_of_the_user_is_touched(shared_folder: Path) -> None:
    folders = platformdirs.PlatformDirs("threadloom")
    for folder in (
        folders.user_config_path,
        folders.user_data_path,
        folders.user_state_path,
        folders.user_cache_path,
        Path(os.environ["THREADLOOM_CACHE_DIR"]),
    ):
        assert shared_folder in folder.parents or "THREADLOOM_TESTS_CACHE" in os.environ


def test_qt_runs_off_screen(qapp: object, qtbot: object) -> None:
    from PySide6.QtGui import QGuiApplication

    assert QGuiApplication.platformName() == "offscreen"


def test_a_shown_window_is_quiet(qtbot: object, qapp: object) -> None:
    from PySide6.QtWidgets import QWidget

    window = QWidget()
    window.show()
    window.raise_()
    window.close()


def test_an_expected_warning_passes(expect_log: Callable[[str], None]) -> None:
    import logging

    expect_log("the disk is full")
    logging.getLogger("threadloom").warning("the disk is full")
