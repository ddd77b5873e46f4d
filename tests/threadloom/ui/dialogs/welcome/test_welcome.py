# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from threadloom.model.message import literal
from threadloom.services.devices import device_table
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.settings import Settings
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.dialogs.welcome.welcome import Welcome
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def page(qtbot: QtBot, store: Store, appearance: Appearance) -> Welcome:
    made = Welcome(store, Preferences(Settings()), appearance)
    qtbot.addWidget(made)
    store.set_devices(
        DevicesResult((), tuple(device_table.load()), ((literal("Emulator"), True, literal("1")),))
    )
    return made


def button(page: Welcome, text: str) -> QPushButton:
    return next(one for one in page.findChildren(QPushButton) if one.text() == text)


def test_another_gpu_can_be_modeled(page: Welcome, store: Store) -> None:
    other = next(model for model in device_table.load() if model.name != store.workspace.model)
    offered = {action.text().split(",")[0]: action for action in page._menu.actions()}
    assert set(offered) == {model.name for model in device_table.load()}
    offered[other.name].trigger()
    assert store.workspace.model == other.name
    assert other.name in page._intro.text()
    ticked = [action.text() for action in page._menu.actions() if action.isChecked()]
    assert [text.split(",")[0] for text in ticked] == [other.name]


def test_what_is_here_can_be_looked_for_again(page: Welcome, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.check_asked):
        qtbot.mouseClick(button(page, "Check again"), Qt.MouseButton.LeftButton)
