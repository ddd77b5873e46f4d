# SPDX-License-Identifier: MIT
from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from threadloom.ui.shell.focus_ring import FocusRing
from threadloom.ui.theme.theme import Appearance


def test_the_ring_goes_along_when_what_holds_the_control_moves(
    qtbot: QtBot, appearance: Appearance
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 200)
    panel = QWidget(window)
    panel.setGeometry(10, 10, 200, 100)
    button = QPushButton("Run", panel)
    button.setGeometry(5, 5, 60, 24)
    ring = FocusRing(window, appearance)
    other = QPushButton("Stop", window)
    window.show()
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    ring.expect()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.isVisible()
    before = ring.geometry()
    panel.move(40, 60)
    assert ring.geometry() == before.translated(QPoint(30, 50))
    panel.hide()
    assert not ring.isVisible()
