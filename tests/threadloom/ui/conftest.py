# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from threadloom.services.settings import Settings
from threadloom.services.workspace import Workspace
from threadloom.ui.forecaster import forecast
from threadloom.ui.inventory import Inventory
from threadloom.ui.session import make_inventory
from threadloom.ui.store import Store
from threadloom.ui.style_sheet import palette, style_sheet
from threadloom.ui.theme import Appearance, Role, Theme


@pytest.fixture(scope="session")
def inventory() -> Inventory:
    return make_inventory(Settings())


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    made = Appearance(Theme.load("dark"))
    qapp.setStyle("Fusion")
    qapp.setFont(made.font(Role.BODY))
    qapp.setPalette(palette(made))
    qapp.setStyleSheet(style_sheet(made))
    return made


class ForetellingStore(Store):
    """A store whose forecast follows the choices, as the laboratory has it, without a worker."""

    def __init__(self, workspace: Workspace, inventory: Inventory) -> None:
        super().__init__(workspace)
        self._inventory = inventory
        self.workspace_changed.connect(self.foretell)
        self.foretell()

    def foretell(self, *_changed: object) -> None:
        self.set_forecast(forecast(self.workspace, self._inventory, None, self.result))


@pytest.fixture
def store(qapp: QApplication, inventory: Inventory) -> ForetellingStore:
    return ForetellingStore(Workspace(), inventory)
