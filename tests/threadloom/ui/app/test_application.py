# SPDX-License-Identifier: MIT
from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog

from threadloom.model.dim3 import Dim3
from threadloom.services.storage.settings import Settings, save_settings
from threadloom.services.storage.workspace import Workspace
from threadloom.services.storage.workspace_file import (
    last_session_path,
    load_workspace,
    save_workspace,
)
from threadloom.ui.app import application
from threadloom.ui.shell.banner import Banner
from threadloom.ui.shell.commands.commands import Commands
from threadloom.ui.shell.main_window import MainWindow


@pytest.fixture(autouse=True)
def fresh_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def window() -> MainWindow:
    all_windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
    (shown,) = [window for window in all_windows if window.isVisible()]
    return shown


def during(pause_ms: int, look: Callable[[], None]) -> None:
    QTimer.singleShot(pause_ms, look)


def test_the_first_start_welcomes(qapp: QApplication) -> None:
    seen: list[bool] = []
    during(100, lambda: seen.append(window().welcoming))
    assert application.run(quit_after_s=0.3) == 0
    assert seen == [True]


def test_choices_are_kept_between_starts(qapp: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    save_workspace(Workspace(sizes={"n": 640}, block=Dim3(32), grid=Dim3(20), live=False), file)
    assert application.run(file, quit_after_s=0.2) == 0
    assert load_workspace(last_session_path()).workspace.sizes == {"n": 640}
    texts: list[str] = []
    during(100, lambda: texts.append(window().areas.launch.code.toPlainText()))
    assert application.run(quit_after_s=0.3) == 0
    assert "dim3(20)" in texts[0]


def test_a_damaged_file_is_refused_in_the_window_and_kept(
    qapp: QApplication, tmp_path: Path
) -> None:
    file = tmp_path / "damaged.json"
    file.write_text('{"kind": "workspace", "version": 1, "device": "many"}')
    titles: list[str] = []

    def look() -> None:
        banner = window().findChild(Banner)
        assert isinstance(banner, Banner)
        titles.append(banner.title)

    during(100, look)
    assert application.run(file, quit_after_s=0.3) == 0
    assert "damaged.json" in titles[0]
    assert "many" in file.read_text()


def test_a_complaint_stays_until_it_is_dismissed(qapp: QApplication, tmp_path: Path) -> None:
    """Even though Live runs at once, and a run that succeeds takes a failure's words away."""
    file = tmp_path / "damaged.json"
    file.write_text("{")
    titles: list[str] = []

    def look() -> None:
        banner = window().findChild(Banner)
        assert isinstance(banner, Banner)
        window().areas.toolbar._store.set_failure("")
        titles.append(banner.title)
        banner._button.click()
        titles.append(banner.title)

    during(100, look)
    assert application.run(file, quit_after_s=0.3) == 0
    assert "damaged.json" in titles[0]
    assert titles[1] == ""


OTHERS = '{"threadloom": "workspace", "version": 1, "operation": "gone", "model": "Nope 1"}'


def test_a_workspace_from_another_machine_opens_with_what_is_here(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "others.json"
    file.write_text(OTHERS)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_given: (str(file), ""))
    seen: list[tuple[str, str]] = []

    def look() -> None:
        banner, commands = window().findChild(Banner), window().findChild(Commands)
        assert isinstance(banner, Banner)
        assert isinstance(commands, Commands)
        commands.files.open_workspace()
        seen.append((banner.title, commands.files._store.workspace.operation))

    for given in (None, file):
        during(100, look)
        assert application.run(given, quit_after_s=0.3) == 0
    for title, operation in seen:
        assert title == "Operation gone is not available."
        assert operation != "gone"
    assert len(seen) == 2


def test_a_file_of_another_kind_is_refused(qapp: QApplication, tmp_path: Path) -> None:
    titles: list[str] = []

    def look() -> None:
        banner = window().findChild(Banner)
        assert isinstance(banner, Banner)
        titles.append(banner.title)

    during(100, look)
    assert application.run(tmp_path / "a.csv", quit_after_s=0.3) == 0
    assert "a.csv is neither a workspace (.json) nor a CUDA source (.cu)." in titles[0]


def test_broken_operations_of_the_user_are_told(qapp: QApplication, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "broken").mkdir(parents=True)
    (folder / "broken" / "__init__.py").write_text("import nothing_of_this_name\n")
    save_settings(Settings(operations_folder=str(folder)))
    titles: list[str] = []

    def look() -> None:
        banner = window().findChild(Banner)
        assert isinstance(banner, Banner)
        titles.append(banner.title)

    during(100, look)
    assert application.run(quit_after_s=0.3) == 0
    assert str(folder / "broken") in titles[0]
    assert "nothing_of_this_name" in titles[0]


def test_a_source_file_is_opened_as_the_kernel(qapp: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "mine.cu"
    file.write_text("__global__ void mine(float *a, int n) { a[threadIdx.x] = n; }\n")
    texts: list[str] = []
    during(100, lambda: texts.append(window().areas.launch.code.toPlainText()))
    assert application.run(file, quit_after_s=0.3) == 0
    assert texts[0].startswith("mine<<<")


def test_without_a_display_the_reason_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert application.run(quit_after_s=0.1) == application.NO_WINDOW
    assert "display" in capsys.readouterr().err


def test_an_unexpected_error_is_shown_with_a_report(
    qapp: QApplication, expect_log: Callable[[str], None]
) -> None:
    from threadloom.ui.app.crash_report import CrashReport

    expect_log("unexpected error")
    texts: list[str] = []

    def fail() -> None:
        import sys

        error = ZeroDivisionError("made for this test")
        sys.excepthook(type(error), error, None)

    def look() -> None:
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, CrashReport):
                texts.append(dialog.text.toPlainText())
                dialog.accept()

    during(50, fail)
    during(200, look)
    logging.getLogger().setLevel(logging.WARNING)
    assert application.run(quit_after_s=0.4) == 0
    assert "made for this test" in texts[0]
