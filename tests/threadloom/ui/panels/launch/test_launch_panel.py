# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionFrame
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.workspace_edits import choose_operation
from threadloom.ui.panels.launch.launch_panel import LaunchPanel
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.number_field import NumberField

_SIDE = 2
"""What Qt leaves free on each side of a line of text."""


@pytest.fixture
def panel(qtbot: QtBot, store: Store, appearance: Appearance) -> LaunchPanel:
    made = LaunchPanel(store, appearance)
    qtbot.addWidget(made)
    made.resize(304, 400)
    made.show()
    return made


def field(panel: LaunchPanel, control: str) -> NumberField:
    found = panel.field(control)
    assert isinstance(found, NumberField)
    return found


def enter(qtbot: QtBot, target: NumberField, text: str) -> None:
    target.setFocus()
    target.selectAll()
    if text:
        qtbot.keyClicks(target, text)
    else:
        qtbot.keyClick(target, Qt.Key.Key_Delete)
    qtbot.keyClick(target, Qt.Key.Key_Return)


def test_shows_what_is_chosen(panel: LaunchPanel) -> None:
    assert field(panel, "size.n").text() == "1,000,000"
    assert field(panel, "block.x").text() == "256"
    assert field(panel, "grid.x").text() == "3907"
    assert field(panel, "grid.x").isReadOnly()
    code = panel.code.toPlainText().replace("\n", "").replace(" ", "")
    assert code == "vec_add<<<dim3(3907),dim3(256)>>>(a,b,c,n);"


def test_the_grid_follows_the_size(qtbot: QtBot, store: Store, panel: LaunchPanel) -> None:
    enter(qtbot, field(panel, "size.n"), "1000")
    assert field(panel, "grid.x").text() == "4"
    assert "dim3(4)" in panel.code.toPlainText()


def test_letting_go_of_the_size_keeps_the_grid(
    qtbot: QtBot, store: Store, panel: LaunchPanel
) -> None:
    qtbot.mouseClick(panel.follow, Qt.MouseButton.LeftButton)
    assert not store.workspace.grid_follows_size
    assert store.workspace.grid == Dim3(3907)
    assert not field(panel, "grid.x").isReadOnly()


@pytest.mark.parametrize(
    ("control", "text", "words"),
    [
        ("block.x", "500000", "At most 1,024"),
        ("block.x", "0", "At least 1"),
        ("block.x", "-1", "At least 1"),
        ("block.x", "2147483648", "At most 1,024"),
        ("block.z", "65", "At most 64"),
        ("block.x", "many", "“many” is not an integer."),
        ("block.x", "", "Expected an integer."),
        (
            "block.x",
            "12345678901234567890",
            "The number is too large; the limit is 9,223,372,036,854,775,807.",
        ),
        ("size.n", "9^40", "The number is too large; the limit is 9,223,372,036,854,775,807."),
        ("size.n", "0", "At least 1"),
        ("size.n", "-7", "At least 1"),
        ("size.n", "2147483648", "At most 2,147,482,624"),
        ("size.n", "1.5", "“1.5” is not an integer."),
    ],
)
def test_extremes_get_a_clear_message(
    qtbot: QtBot, panel: LaunchPanel, control: str, text: str, words: str
) -> None:
    target = field(panel, control)
    if control == "block.z":
        enter(qtbot, field(panel, "block.x"), "4")
    enter(qtbot, target, text)
    row = panel.block if control.startswith("block") else panel.sizes
    assert row is not None
    assert row.validation_message == words
    assert target.is_faulty


@pytest.mark.parametrize(
    ("control", "text"), [("grid.x", "0"), ("grid.y", "70000"), ("grid.x", "2147483648")]
)
def test_extremes_of_the_grid(
    qtbot: QtBot, panel: LaunchPanel, store: Store, control: str, text: str
) -> None:
    store.change(grid_follows_size=False)
    enter(qtbot, field(panel, control), text)
    assert field(panel, control).is_faulty
    assert panel.grid.validation_message.startswith(("At most", "At least"))


def test_a_mended_field_loses_its_mark(qtbot: QtBot, panel: LaunchPanel) -> None:
    enter(qtbot, field(panel, "block.x"), "5000")
    enter(qtbot, field(panel, "block.x"), "128")
    assert not field(panel, "block.x").is_faulty
    assert panel.block.validation_message == ""


def test_a_pasted_launch_fills_block_and_grid(
    qtbot: QtBot, store: Store, panel: LaunchPanel
) -> None:
    QApplication.clipboard().setText("vec_add<<<dim3(10, 2), 64>>>(a, b, c, n);")
    target = field(panel, "block.x")
    target.setFocus()
    qtbot.keyClick(target, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert store.workspace.block == Dim3(64)
    assert store.workspace.grid == Dim3(10, 2)
    assert not store.workspace.grid_follows_size


def test_a_pasted_launch_that_cannot_be_read_says_why(
    qtbot: QtBot, store: Store, panel: LaunchPanel
) -> None:
    before = store.workspace
    QApplication.clipboard().setText("vec_add<<<what, 64>>>(a);")
    target = field(panel, "size.n")
    target.setFocus()
    qtbot.keyClick(target, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert store.workspace == before
    assert "what" in panel.code_fault


def type_code(qtbot: QtBot, panel: LaunchPanel, text: str) -> None:
    panel.code.setFocus()
    panel.code.selectAll()
    qtbot.keyClicks(panel.code, text)


def test_a_typed_launch_fills_the_fields(qtbot: QtBot, store: Store, panel: LaunchPanel) -> None:
    with qtbot.waitSignal(store.workspace_changed, timeout=2000):
        type_code(qtbot, panel, "vec_add<<<5, dim3(8, 4)>>>(a, b, c, n);")
    assert store.workspace.block == Dim3(8, 4)
    assert field(panel, "block.y").text() == "4"
    assert field(panel, "grid.x").text() == "5"


def test_a_typed_grid_that_the_rule_gives_goes_on_following(
    qtbot: QtBot, store: Store, panel: LaunchPanel
) -> None:
    with qtbot.waitSignal(store.workspace_changed, timeout=2000):
        type_code(qtbot, panel, "vec_add<<<1954, 512>>>(a, b, c, n);")
    assert store.workspace.block == Dim3(512)
    assert store.workspace.grid_follows_size


def test_what_cannot_be_read_is_underlined_and_leaves_the_fields_alone(
    qtbot: QtBot, store: Store, panel: LaunchPanel
) -> None:
    before = store.workspace
    with qtbot.waitSignal(panel.code.faulty, timeout=2000) as told:
        type_code(qtbot, panel, "vec_add<<<3907, >>>(a);")
    assert told.args[0]
    assert panel.code.highlighter.faults
    assert store.workspace == before
    assert field(panel, "block.x").text() == "256"


def test_a_refused_block_is_underlined_in_the_code(qtbot: QtBot, panel: LaunchPanel) -> None:
    enter(qtbot, field(panel, "block.x"), "5000")
    (start, end), *_more = panel.code.highlighter.faults
    assert "5000" in panel.code.toPlainText()[start:end]


@pytest.mark.parametrize("name", ["matmul", "conv2d", "tensor_add", "linear_sigmoid"])
def test_each_operation_has_fields_for_its_axes(
    store: Store, catalog: Catalog, panel: LaunchPanel, name: str
) -> None:
    operation = catalog.operations[name]
    store.set_workspace(choose_operation(store.workspace, operation))
    for axis in operation.axes:
        assert field(panel, f"size.{axis.name}").value() == axis.default


def test_types_without_a_kernel_are_off(panel: LaunchPanel) -> None:
    buttons = panel._type._buttons
    assert buttons["float32"].isEnabled()
    assert not buttons["float16"].isEnabled()


def test_the_slider_sets_every_axis_of_a_bare_size(
    store: Store, catalog: Catalog, panel: LaunchPanel
) -> None:
    store.set_workspace(choose_operation(store.workspace, catalog.operations["matmul"]))
    assert panel.sizes is not None
    panel.sizes.slider.setValue(500)
    sizes = store.workspace.sizes
    assert len(set(sizes.values())) == 1
    assert set(sizes) == {"m", "n", "k"}


def test_a_tiled_product_takes_two_lines(
    store: Store, panel: LaunchPanel, catalog: Catalog
) -> None:
    matmul = choose_operation(store.workspace, catalog.operations["matmul"])
    store.change(**{name: getattr(matmul, name) for name in ("operation", "variant", "sizes")})
    assert panel.code.toPlainText().count("\n") == 1, panel.code.toPlainText()


def test_usual_sizes_of_a_product_are_read_whole(
    panel: LaunchPanel, store: Store, catalog: Catalog, qtbot: QtBot
) -> None:
    matmul = choose_operation(store.workspace, catalog.operations["matmul"])
    store.set_workspace(matmul.with_(sizes=dict.fromkeys(("m", "n", "k"), 4096)))
    entries = [field(panel, f"size.{axis}") for axis in ("m", "n", "k")]
    qtbot.waitUntil(lambda: all(entry.width() < 100 for entry in entries))
    for entry in entries:
        option = QStyleOptionFrame()
        entry.initStyleOption(option)
        inside = (
            entry.style()
            .subElementRect(QStyle.SubElement.SE_LineEditContents, option, entry)
            .marginsRemoved(entry.textMargins())
        )
        assert entry.fontMetrics().horizontalAdvance("4,096") + 2 * _SIDE <= inside.width()
