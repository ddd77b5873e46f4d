# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from threadloom.presentation.launch.number_text import parse_integer
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.number_field import NumberField


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("256", 256),
        ("1,000,000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1 000 000", 1_000_000),
        ("-5", -5),
        ("0", 0),
        ("2147483648", 2**31),
        ("1e6", 1_000_000),
        ("2^20", 2**20),
        ("2**10", 1024),
        ("", None),
        ("abc", None),
        ("1.5", None),
        ("9" * 40, None),
        ("999^99", None),
        ("<<<1, 2>>>", None),
        ("٣", None),
    ],
)
def test_reading_numbers(text: str, value: int | None) -> None:
    assert parse_integer(text) == value


@pytest.fixture
def field(qtbot: QtBot, appearance: Appearance) -> NumberField:
    made = NumberField(appearance, "Block x", "x")
    made.set_value(256)
    qtbot.addWidget(made)
    made.show()
    return made


def type_anew(qtbot: QtBot, field: NumberField, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)


def test_tells_after_a_pause(qtbot: QtBot, field: NumberField) -> None:
    with qtbot.waitSignal(field.edited, timeout=2000) as told:
        type_anew(qtbot, field, "128")
    assert told.args == [128]


def test_tells_at_once_on_enter(qtbot: QtBot, field: NumberField) -> None:
    type_anew(qtbot, field, "64")
    with qtbot.waitSignal(field.edited, timeout=100):
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_tells_of_what_is_no_number(qtbot: QtBot, field: NumberField) -> None:
    with qtbot.waitSignal(field.rejected, timeout=2000) as told:
        type_anew(qtbot, field, "many")
    assert told.args == ["many"]


def test_numbers_beyond_32_bits_arrive_whole(qtbot: QtBot, field: NumberField) -> None:
    with qtbot.waitSignal(field.edited, timeout=2000) as told:
        type_anew(qtbot, field, "4294967296")
    assert told.args == [4294967296]


def test_arrows_double_and_halve(qtbot: QtBot, field: NumberField) -> None:
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value() == 512
    qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert field.value() == 128


def test_a_pasted_launch_is_told_and_the_number_stays(qtbot: QtBot, field: NumberField) -> None:
    QApplication.clipboard().setText("k<<<4, 64>>>(a);")
    with qtbot.waitSignal(field.launch_pasted) as told:
        qtbot.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert told.args == ["k<<<4, 64>>>(a);"]
    assert field.value() == 256


def test_setting_a_value_tells_nothing(qtbot: QtBot, field: NumberField) -> None:
    with qtbot.assertNotEmitted(field.edited, wait=300):
        field.set_value(32)
    assert field.text() == "32"


def test_a_mark_says_why(field: NumberField) -> None:
    field.set_faulty(True, "At most 1,024")
    assert field.is_faulty
    assert field.accessibleDescription() == "At most 1,024"
