# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from threadloom.services.export import read_csv, read_json
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult
from threadloom.ui.dialogs.export import ExportDialog
from threadloom.ui.panels.tabs.tabs import Tabs
from threadloom.ui.state.store import LaunchSweep, Over, Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def dialog(
    qtbot: QtBot, store: Store, appearance: Appearance, tmp_path: Path
) -> Iterator[ExportDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1120, 700)
    tabs = Tabs(store, appearance, window)
    made = ExportDialog(store, appearance, window, tabs.exported)
    made.folder.setText(str(tmp_path / "figures"))
    window.show()
    yield made
    made._writing.wait()


def export(dialog: ExportDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog._writing.finished, timeout=20_000):
        dialog.export()


def test_opens_over_the_window_for_the_figure_that_is_asked_for(
    dialog: ExportDialog, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_sweep(results.sweep())
    store.export_requested.emit("timeline")
    assert dialog.isVisible()
    assert dialog.form.what.key() == "timeline"
    assert dialog.size() == dialog.window().size()
    entries = [dialog.form.what.itemText(i) for i in range(dialog.form.what.count())]
    assert entries == [
        "Size sweep",
        "Timings of the last run",
        "End-to-end breakdown of one run",
        "Memory access of a warp",
        "SM timeline",
    ]


def test_sweeps_over_launches_are_offered_with_their_data(
    dialog: ExportDialog, store: Store, recorded: ModuleType, qtbot: QtBot, tmp_path: Path
) -> None:
    for over, sweep in (
        (Over.BLOCK, recorded.block_sweep()),
        (Over.VARIANT, recorded.variant_sweep()),
    ):
        choices = tuple(point.choice for point in sweep.points)
        store.set_launch_sweep(LaunchSweep(over, sweep, choices))
    for key, stem in (("blocks", "matmul_naive_blocks"), ("variants", "matmul_variants")):
        dialog.open_for(key)
        assert dialog.form.what.key() == key
        dialog.form.format.set_value("svg")
        dialog.form.format.chosen.emit("svg")
        export(dialog, qtbot)
        assert (tmp_path / "figures" / f"{stem}.svg").exists()
        assert isinstance(read_csv(tmp_path / "figures" / f"{stem}.csv"), LaunchSweepResult)


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("figure", ["sweep", "timings", "breakdown", "memory", "timeline"])
def test_writes_every_figure_in_every_form(
    dialog: ExportDialog,
    store: Store,
    results: ModuleType,
    qtbot: QtBot,
    form: str,
    figure: str,
    tmp_path: Path,
) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_sweep(results.sweep())
    dialog.open_for(figure)
    dialog.form.format.set_value(form)
    export(dialog, qtbot)
    assert dialog.message.text().startswith("Wrote ")
    names = sorted(file.name for file in (tmp_path / "figures").iterdir())
    picture = f"vector_add_grid_{figure}.{form}"
    table = [f"vector_add_grid_{figure}.csv"] if figure != "memory" else []
    assert names == sorted([picture, *table])
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert (tmp_path / "figures" / picture).read_bytes().startswith(starts[form])


@pytest.mark.parametrize(("form", "read"), [("csv", read_csv), ("json", read_json)])
def test_the_samples_alone_hold_the_same_numbers(
    dialog: ExportDialog,
    store: Store,
    results: ModuleType,
    qtbot: QtBot,
    form: str,
    read: Callable[[Path], object],
    tmp_path: Path,
) -> None:
    sweep = results.sweep()
    store.set_sweep(sweep)
    dialog.open_for("sweep")
    dialog.form.format.set_value(form)
    dialog.form._on_changed()
    assert not dialog.form.theme.isEnabled()
    export(dialog, qtbot)
    (written,) = (tmp_path / "figures").iterdir()
    assert written.name == f"vector_add_grid_sweep.{form}"
    back = read(written)
    assert isinstance(back, SweepResult)
    assert back.series == sweep.series
    assert dialog.message.text() == f"Wrote vector_add_grid_sweep.{form}."


def test_a_figure_without_samples_offers_no_data(
    dialog: ExportDialog, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_sweep(results.sweep())
    dialog.open_for("sweep")
    dialog.form.format.set_value("json")
    dialog.open_for("memory")
    assert dialog.form.format.value() == "svg"


@pytest.mark.skipif(os.name != "posix", reason="permissions of folders as on Linux and macOS")
def test_a_folder_that_cannot_be_written_to_is_told(
    dialog: ExportDialog, store: Store, results: ModuleType, qtbot: QtBot, tmp_path: Path
) -> None:
    store.set_sweep(results.sweep())
    dialog.open_for("sweep")
    (tmp_path / "file").write_text("in the way")
    dialog.folder.setText(str(tmp_path / "file" / "below"))
    export(dialog, qtbot)
    assert dialog.message.text().endswith("is not writable: Not a directory.")
    assert dialog.message.tone == "error"
    assert dialog._export.isEnabled()


def test_a_size_without_sense_is_told_and_nothing_written(
    dialog: ExportDialog, store: Store, results: ModuleType, tmp_path: Path
) -> None:
    store.set_sweep(results.sweep())
    dialog.open_for("sweep")
    dialog.form.width_mm.set_value(5)
    dialog.form._on_size_edited(5)
    assert dialog.message.text() == "Width and height must be 20 to 2000 mm."
    dialog.export()
    assert not (tmp_path / "figures").exists()


def test_sizes_and_presets_follow_each_other(
    dialog: ExportDialog, store: Store, results: ModuleType
) -> None:
    store.set_sweep(results.sweep())
    dialog.open_for("sweep")
    form = dialog.form
    form.preset.picked.emit("slide")
    form.preset.set_key("slide")
    assert (form.width_mm.value(), form.height_mm.value(), form.text_pt.value()) == (254, 143, 14)
    form.width_mm.set_value(100)
    form._on_size_edited(100)
    assert form.preset.key() == "custom"
    form.width_mm.set_value(88)
    form.height_mm.set_value(66)
    form._on_size_edited(66)
    assert form.preset.key() == "column"


def test_copies_the_image(dialog: ExportDialog, store: Store, results: ModuleType) -> None:
    store.set_sweep(results.sweep())
    dialog.open_for("")
    dialog.copy_image()
    image: QImage = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (1039, 780)


def test_escape_closes_and_enter_writes(
    dialog: ExportDialog, store: Store, results: ModuleType, qtbot: QtBot, tmp_path: Path
) -> None:
    store.set_sweep(results.sweep())
    dialog.open_for("sweep")
    with qtbot.waitSignal(dialog._writing.finished, timeout=20_000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert (tmp_path / "figures" / "vector_add_grid_sweep.svg").exists()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_says_when_there_is_nothing_to_export(dialog: ExportDialog) -> None:
    dialog.open_for("")
    assert dialog.message.text() == "Nothing to export yet. Press F5 to run."
    assert not dialog._export.isEnabled()


def test_boxes_that_do_not_count_look_so(
    dialog: ExportDialog, store: Store, results: ModuleType, appearance: Appearance
) -> None:
    store.set_sweep(results.sweep())
    store.export_requested.emit("")
    form = dialog.form

    def accented(widget: QWidget) -> bool:
        image, accent = widget.grab().toImage(), appearance.color("accent")
        return any(
            image.pixelColor(x, y) == accent
            for x in range(image.width())
            for y in range(image.height())
        )

    boxes = [box for key, box in form.boxes.items() if key != "transparent"]
    assert all(accented(box) for box in boxes)
    form.format.buttons()[[b.text() for b in form.format.buttons()].index("CSV")].click()
    assert not any(box.isEnabled() or accented(box) for box in boxes)
