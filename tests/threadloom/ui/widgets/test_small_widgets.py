# SPDX-License-Identifier: MIT
from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from threadloom.model.provenance import Provenance
from threadloom.presentation.picker_entry import Entry
from threadloom.ui.theme.icons import GLYPHS, icon
from threadloom.ui.theme.theme import Appearance, Theme
from threadloom.ui.widgets.chip import Chip, ProvenanceChip
from threadloom.ui.widgets.flow import FlowLayout
from threadloom.ui.widgets.label import ElidedLabel, Label
from threadloom.ui.widgets.log_slider import LogSlider
from threadloom.ui.widgets.picker import Picker
from threadloom.ui.widgets.section import ValueRow
from threadloom.ui.widgets.segmented import Segmented
from threadloom.ui.widgets.switch import Switch


def test_every_icon_can_be_drawn(appearance: Appearance) -> None:
    for name in GLYPHS:
        image = icon(appearance, name).pixmap(16, 16).toImage()
        drawn = any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16))
        assert drawn, name


def test_a_switch_is_toggled_by_mouse_and_space(qtbot: QtBot, appearance: Appearance) -> None:
    switch = Switch(appearance, "Live")
    qtbot.addWidget(switch)
    switch.show()
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert switch.isChecked()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert not switch.isChecked()


def test_segments_are_exclusive_and_tell(qtbot: QtBot, appearance: Appearance) -> None:
    segmented = Segmented(appearance, [("a", "A"), ("b", "B")], "Letter")
    qtbot.addWidget(segmented)
    segmented.set_value("a")
    with qtbot.waitSignal(segmented.chosen) as told:
        segmented._buttons["b"].click()
    assert told.args == ["b"]
    assert segmented.value() == "b"


def test_a_segment_that_is_off_says_why(qtbot: QtBot, appearance: Appearance) -> None:
    segmented = Segmented(appearance, [("a", "A"), ("b", "B")], "Letter")
    qtbot.addWidget(segmented)
    segmented.set_choice_enabled("b", False, "not here")
    with qtbot.assertNotEmitted(segmented.chosen):
        segmented._buttons["b"].click()
    assert segmented._buttons["b"].toolTip() == "not here"


def test_only_a_modeled_figure_has_a_blue_chip(qtbot: QtBot, appearance: Appearance) -> None:
    chip = ProvenanceChip(appearance)
    qtbot.addWidget(chip)
    chip.show_provenance(Provenance.MODELED)
    assert (chip.text(), chip._kind) == ("modeled", "info")
    chip.show_provenance(Provenance.MEASURED)
    assert (chip.text(), chip._kind) == ("measured", "neutral")


def test_an_empty_chip_is_hidden(qtbot: QtBot, appearance: Appearance) -> None:
    chip = Chip(appearance, "1 error", "error")
    qtbot.addWidget(chip)
    chip.show_text("")
    assert chip.isHidden()


def test_the_slider_gives_round_numbers_between_its_ends(
    qtbot: QtBot, appearance: Appearance
) -> None:
    slider = LogSlider(appearance, "Size", 1, 100_000_000)
    qtbot.addWidget(slider)
    slider.set_number(1_000_000)
    assert slider.number() == 1_000_000
    slider.setValue(0)
    assert slider.number() == 1
    slider.setValue(1000)
    assert slider.number() == 100_000_000
    slider.setValue(777)
    digits = str(slider.number()).rstrip("0")
    assert len(digits) <= 2


def test_the_slider_shows_what_is_outside_at_its_end(qtbot: QtBot, appearance: Appearance) -> None:
    slider = LogSlider(appearance, "Size", 1, 1000)
    qtbot.addWidget(slider)
    with qtbot.assertNotEmitted(slider.moved):
        slider.set_number(2**40)
    assert slider.value() == 1000


def test_a_picker_keeps_its_key_when_its_entries_change(
    qtbot: QtBot, appearance: Appearance
) -> None:
    picker = Picker(appearance, "Device")
    qtbot.addWidget(picker)
    picker.set_entries([Entry("a", "A"), Entry("b", "B")])
    picker.set_key("b")
    with qtbot.assertNotEmitted(picker.picked):
        picker.set_entries([Entry("c", "C"), Entry("b", "B")])
    assert picker.key() == "b"


def test_a_long_text_ends_in_an_ellipsis_and_tells_itself(
    qtbot: QtBot, appearance: Appearance
) -> None:
    label = ElidedLabel(appearance, "a rather long text that has no room")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.grab()
    assert label.toolTip() == label.text()


def test_a_label_follows_the_theme(qtbot: QtBot, appearance: Appearance) -> None:
    label = Label(appearance, "text")
    qtbot.addWidget(label)
    appearance.set_theme(Theme.load("light"))
    color = label.palette().color(label.foregroundRole())
    assert color == appearance.color("text")


def test_flow_goes_on_in_the_next_line(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder, spacing=4)
    boxes = [QWidget() for _number in range(3)]
    for box in boxes:
        box.setFixedSize(40, 10)
        flow.addWidget(box)
    holder.resize(90, 60)
    holder.show()
    assert boxes[1].pos() == QPoint(44, 0)
    assert boxes[2].pos() == QPoint(0, 14)
    assert flow.heightForWidth(90) == 24


def test_a_row_shortens_its_name_before_its_value(qtbot: QtBot, appearance: Appearance) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    row = ValueRow(appearance, "Shared memory per block", "1,000,192 / 1,000,000", panel)
    row.resize(190, row.height())
    panel.show()
    assert row.value.width() == row.value.sizeHint().width()
    assert row.name.width() < row.name.sizeHint().width()
    row.show_value("1 / 2")
    assert row.value.width() == row.value.sizeHint().width()
    row.resize(60, row.height())
    assert row.value.x() + row.value.width() <= 60
