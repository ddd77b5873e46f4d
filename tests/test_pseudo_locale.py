# SPDX-License-Identifier: MIT
"""Each command and each place of the window, in a language in which English stands out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from tests.pseudo_locale import LANGUAGE, catalog, pseudo, untranslated, write_catalog

from threadloom import text
from threadloom.cli.application import main
from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.services.bench.environment import cpu_name
from threadloom.services.client import Client
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace
from threadloom.text import language
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.app.session import Session
from threadloom.ui.shell.actions import ROWS
from threadloom.ui.state.store import Activity, View

LIMIT_MS = 60_000
BROKEN = """__global__ void add(const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * blockDimx + threadIdx.x;
    c[i] = a[i] + b[i]
}
"""
RACE = """__global__ void add(const float* a, const float* b, float* c, int n)
{
    __shared__ float s[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x % 32] = a[i];
    c[i] = s[(threadIdx.x + 1) % 32] + b[i];
}
"""


def assert_translated(texts: Iterable[str], data: Iterable[str] = ()) -> None:
    left = untranslated(texts, data)
    assert not left, "not translated:\n" + "\n".join(left)


@pytest.fixture
def pseudo_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every text of this test is the generated catalog's."""
    folder = tmp_path / "translations"
    folder.mkdir()
    write_catalog(folder)
    monkeypatch.setattr(language, "_folder", lambda: folder)
    monkeypatch.setenv("COLUMNS", "500")
    assert text.use_language(LANGUAGE) == LANGUAGE
    yield
    text.use_language(text.SOURCE_LANGUAGE)


def test_every_text_of_the_program_is_in_the_catalog() -> None:
    assert len(catalog()) > 1_000
    assert pseudo("Add {name} to `x`") == "Áďď {name} ťó `x`"


COMMANDS = {
    "run": ("run", "vector_add", "--size", "1000", "--engine", "emulator"),
    "run refused": (
        "run",
        "vector_add",
        "--size",
        "1000",
        "--block",
        "2000",
        "--engine",
        "emulator",
    ),
    "compile error": ("run", "vector_add", "--size", "64", "--source", "{broken}", "--no-timings"),
    "race": ("run", "vector_add", "--size", "64", "--source", "{race}", "--no-timings"),
    "trace": ("trace", "transpose/naive", "--size", "64", "--engine", "emulator"),
    "trace of divergence": ("trace", "reduce_sum", "--size", "1000", "--engine", "emulator"),
    "bench": ("bench", "vector_add", "--sizes", "100,1000", "--engine", "emulator"),
    "devices": ("devices",),
    "operations": ("operations",),
    "unknown operation": ("run", "vector_sub"),
    "bad size": ("run", "vector_add", "--size", "many"),
    "check": ("check", "{case}"),
    "screenshot": ("screenshot", "vector_add", "{png}", "--size", "64", "--engine", "emulator"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_speaks_the_language(
    name: str, pseudo_language: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"broken": tmp_path / "broken.cu", "race": tmp_path / "race.cu"}
    places |= {"png": tmp_path / "window.png", "case": tmp_path / "case.json"}
    places["broken"].write_text(BROKEN)
    places["race"].write_text(RACE)
    (tmp_path / "kernel.cu").write_text(RACE)
    array = {"dtype": "float32", "shape": [64]}
    arguments: list[dict[str, object]] = [{"name": n, "access": "inout", **array} for n in "abc"]
    arguments.append({"name": "n", "dtype": "int32", "value": 64})
    case = {"kernel": "add", "args": arguments, "block": [64, 1, 1], "grid": [2, 1]}
    places["case"].write_text(json.dumps(case))

    main([argument.format(**places) for argument in COMMANDS[name]])

    shown = capsys.readouterr()
    said = [line for line in f"{shown.out}\n{shown.err}".splitlines() if line.strip()]
    assert said
    assert_translated(said, DATA)


DATA = (
    *("broken", "race", "add", "kernel", "vector", "sub", "many", "emulator", "auto"),
    *("blockDimx", *re.findall(r"\w+", cpu_name())),
)
"""What the commands above are given, and this machine's name."""


# The window -------------------------------------------------------------------------------------


class Painted:
    """Collects what is painted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: set[str] = set()
        draw = QPainter.drawText

        def drawn(painter: QPainter, *arguments: object, **named: object) -> object:
            self.texts |= {argument for argument in arguments if isinstance(argument, str)}
            return draw(painter, *arguments, **named)  # type: ignore[call-overload]

        monkeypatch.setattr(QPainter, "drawText", drawn)


@pytest.fixture
def session(qapp: QApplication, pseudo_language: None) -> Iterator[Session]:
    client = Client()
    chosen = Settings().with_(reduced_motion="on", theme="dark", language=LANGUAGE)
    workspace = Workspace(
        sizes={"n": 64}, block=Dim3(16), grid=Dim3(4), engine=EngineChoice.EMULATOR, live=False
    )
    made = Session(qapp, Preferences(chosen), workspace, client)
    made.window.resize(1600, 1000)
    made.window.show_welcome(False)
    made.window.show()
    yield made
    made.close()
    client.close()


def shown_texts(root: QWidget) -> Iterator[str]:
    """What a widget and those in it say, to eyes and to screen readers."""
    yield root.windowTitle()
    for widget in (root, *root.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(number) for number in range(widget.count()))
        elif isinstance(widget, QMenu):
            yield widget.title()
        elif isinstance(widget, QAbstractItemView):
            yield from _table_texts(widget)
    for action in root.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def _table_texts(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    listed = isinstance(model, QAbstractListModel)
    for column in range(1 if listed else model.columnCount(QModelIndex())):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(QModelIndex()), 20)):
            index = model.index(row, column)
            roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            yield from (str(index.data(role) or "") for role in roles)


def look(session: Session, qtbot: QtBot) -> set[str]:
    """All texts of the window as it is now, once painted."""
    qtbot.wait(1)
    session.window.grab()
    return set(shown_texts(session.window))


def run(session: Session, qtbot: QtBot) -> None:
    session.run_controller.run()
    idle = lambda: session.store.activity is Activity.IDLE  # noqa: E731
    qtbot.waitUntil(idle, timeout=LIMIT_MS)


WORKSPACES: dict[str, dict[str, object]] = {
    "right": {},
    "left out": {"grid": Dim3(2)},
    "refused": {"block": Dim3(2000)},
    "wrong source": {"source": BROKEN, "entry": "add"},
    "race": {"source": RACE, "entry": "add"},
}


@pytest.mark.parametrize("name", WORKSPACES)
def test_each_tab_and_panel_speaks_the_language(
    name: str, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = Painted(monkeypatch)
    session.store.change(**WORKSPACES[name])
    found = look(session, qtbot)
    run(session, qtbot)
    for view in View:
        session.store.view_requested.emit(view)
        found |= look(session, qtbot)
    assert_translated(found | painted.texts, DATA)


def test_a_sweep_speaks_the_language(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = Painted(monkeypatch)
    session.store.view_requested.emit(View.TIMINGS)
    session.run_controller.run()
    qtbot.waitUntil(lambda: session.store.activity is Activity.IDLE, timeout=LIMIT_MS)
    assert_translated(look(session, qtbot) | painted.texts, DATA)


def test_menu_palette_welcome_and_dialogs_speak_the_language(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = Painted(monkeypatch)
    found: set[str] = set()
    opened: list[QWidget] = []
    monkeypatch.setattr(QDialog, "exec", opened.append)
    for slot in ("places.settings", "files.export", "places.palette", "places.welcome"):
        session._commands.named(slot)()
        found |= look(session, qtbot)
        for window in QApplication.topLevelWidgets():
            if window.isVisible() or window in opened:
                window.grab()
                found |= set(shown_texts(window))
            if window is not session.window and window.isVisible():
                window.close()
    assert len(ROWS) <= len([t for t in found if t])
    assert_translated(found | painted.texts, DATA)
