# SPDX-License-Identifier: MIT
"""Sweeps over blocks and variants in the Timings tab, with what a real H200 gave."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples
from threadloom.presentation.bench.measurement_details import launch_details
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchSweepResult
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.figures.launch_cell import Cell
from threadloom.ui.panels.timings.launch_table import RANK
from threadloom.ui.panels.timings.timings import TimingsPane
from threadloom.ui.state.store import Activity, LaunchSweep, Over, Store
from threadloom.ui.theme.theme import Appearance

PRODUCT = Workspace(
    operation="matmul",
    variant="naive",
    sizes={"m": 1024, "n": 1024, "k": 1024},
    block=Dim3(16, 16),
    grid=Dim3(64, 64),
    live=False,
)


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance, recorded: ModuleType) -> TimingsPane:
    store.set_workspace(PRODUCT)
    store.set_devices(DevicesResult((recorded.device(),), (), ()))
    made = TimingsPane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 306)
    made.show()
    return made


def show(
    store: Store, result: LaunchSweepResult, over: Over = Over.BLOCK, *, running: bool = False
) -> None:
    choices = tuple(point.choice for point in result.points)
    store.set_over(over)
    store.set_launch_sweep(LaunchSweep(over, result, choices, running))


def cell_of(pane: TimingsPane, block: Dim3) -> Cell:
    cells = pane.sweep_side.area.launches.cells()
    return next(cell for cell in cells if cell.point.choice.block == block)


def spot(cell: Cell) -> QPoint:
    return cell.rect.center().toPoint()


def modeled(result: LaunchSweepResult) -> LaunchSweepResult:
    """The same, as if a model had told the medians."""
    points = tuple(
        replace(
            point,
            provenance=Provenance.MODELED,
            samples=None if point.samples is None else Samples((point.samples.median_s,)),
        )
        for point in result.points
    )
    return replace(result, points=points)


def test_a_heat_map_has_the_fastest_its_ties_and_a_sentence(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    show(store, recorded.block_sweep())
    pane.grab()
    area = pane.sweep_side.area
    assert len(area.launches.cells()) == 27
    assert [c.point.choice.block for c in area.launches.cells() if c.is_first] == [Dim3(32, 2)]
    assert area._sentence.text() == (
        "Fastest: 32 × 2, 316 µs. Tied with 64 × 2, 32 × 4. 4 × 16 takes 3.8× as long."
    )
    assert area._caption.text() == "27 launches, median of up to 9 runs"
    assert [mark.text for mark in pane.header.marks] == ["measured"]
    assert pane.header.figure == "blocks"


def test_a_click_on_a_cell_takes_its_block_into_the_knobs(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    show(store, recorded.block_sweep())
    launches = pane.sweep_side.area.launches
    pane.grab()
    qtbot.mouseClick(launches, Qt.MouseButton.LeftButton, pos=spot(cell_of(pane, Dim3(64, 8))))
    assert store.workspace.block == Dim3(64, 8)
    assert store.workspace.grid == Dim3(16, 128)
    assert store.workspace.grid_follows_size
    assert launches.figure is not None
    assert launches.figure.marks.chosen == LaunchChoice("naive", Dim3(64, 8))


def test_the_keyboard_goes_from_cell_to_cell_and_takes_one(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    show(store, recorded.block_sweep())
    launches = pane.sweep_side.area.launches
    launches.setFocus(Qt.FocusReason.TabFocusReason)
    launches.activateWindow()
    qtbot.waitUntil(launches.hasFocus)
    assert launches.cursor_at == LaunchChoice("naive", Dim3(32, 2))
    assert launches.accessibleDescription().startswith("32 × 2; 316 µs, measured; fastest")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right):
        qtbot.keyClick(launches, key)
    assert launches.cursor_at == LaunchChoice("naive", Dim3(64, 4))
    qtbot.keyClick(launches, Qt.Key.Key_Return)
    assert store.workspace.block == Dim3(64, 4)
    qtbot.keyClick(launches, Qt.Key.Key_End)
    qtbot.keyClick(launches, Qt.Key.Key_Right)
    assert launches.cursor_at is not None


def test_pointing_at_a_cell_tells_its_numbers(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    show(store, recorded.block_sweep())
    pane.grab()
    launches = pane.sweep_side.area.launches
    qtbot.mouseMove(launches, spot(cell_of(pane, Dim3(32, 4))))
    qtbot.waitUntil(lambda: "tie with the fastest" in QToolTip.text())
    assert "64 warps per SM" in QToolTip.text()
    assert "in 9 samples" in QToolTip.text()
    qtbot.mouseMove(launches, QPoint(1, 1))
    qtbot.waitUntil(lambda: launches.cursor_at is None)


def test_what_is_modeled_says_so_and_names_no_winner(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    show(store, modeled(recorded.block_sweep()))
    pane.grab()
    assert [mark.text for mark in pane.header.marks] == ["modeled"]
    assert pane.sweep_side.area._sentence.text().startswith("Shortest in the model: 32 × 2")
    assert "fastest" not in pane.sweep_side.area._sentence.text()


def test_a_line_of_blocks_is_a_curve_in_which_a_strip_means_a_size(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    whole = recorded.block_sweep()
    line = tuple(point for point in whole.points if point.launch.block.y == 1)
    show(store, replace(whole, points=line))
    pane.grab()
    launches = pane.sweep_side.area.launches
    cells = launches.cells()
    assert [cell.point.choice.block for cell in cells] == [Dim3(32), Dim3(64), Dim3(128)]
    assert all(cell.rect.height() > 100 for cell in cells)
    qtbot.mouseClick(launches, Qt.MouseButton.LeftButton, pos=spot(cells[2]))
    assert store.workspace.block == Dim3(128)


def test_bars_of_variants_take_a_variant_with_its_own_block(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    show(store, recorded.variant_sweep(), Over.VARIANT)
    pane.grab()
    launches = pane.sweep_side.area.launches
    assert pane.header.figure == "variants"
    assert pane.sweep_side.area._sentence.text().startswith("Fastest: Tiled, shared memory")
    tiled = next(c for c in launches.cells() if c.point.choice.variant == "shared_tile")
    qtbot.mouseClick(launches, Qt.MouseButton.LeftButton, pos=spot(tiled))
    assert (store.workspace.variant, store.workspace.block) == ("shared_tile", Dim3(16, 16))


def test_points_still_to_come_keep_their_place_and_a_stopped_sweep_goes_on(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    whole = recorded.block_sweep()
    part = replace(whole, points=whole.points[:5], complete=False)
    choices = tuple(point.choice for point in whole.points)
    store.set_over(Over.BLOCK)
    store.set_activity(Activity.SWEEPING)
    store.set_launch_sweep(LaunchSweep(Over.BLOCK, part, choices, running=True))
    area = pane.sweep_side.area
    assert area._caption.text() == "5 of 27 launches"
    assert len(area.launches.cells()) == 27
    assert area.button.text() == "Stop"
    store.set_launch_sweep(LaunchSweep(Over.BLOCK, part, choices))
    store.set_activity(Activity.IDLE)
    assert area.button.text() == "Resume"
    assert area._caption.text() == "5 of 27 launches, stopped"
    with qtbot.waitSignal(store.sweep_requested) as asked:
        area.button.click()
    assert asked.args == [()]
    with qtbot.waitSignal(store.launch_sweep_changed) as forgotten:
        area.settings._anew.click()
    assert forgotten.args == [None]
    assert area.button.text() == "Run sweep"


def test_a_sweep_of_another_size_is_dimmed_and_one_of_another_kernel_is_gone(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    show(store, recorded.block_sweep())
    area = pane.sweep_side.area
    store.change(block=Dim3(8, 8))
    assert area.launches.figure is not None
    assert not area.launches.figure.faded
    store.change(sizes={"m": 512, "n": 512, "k": 512})
    assert area.launches.figure.faded
    assert area._caption.text() == "from other settings: 1,024 × 1,024 × 1,024, float32, H200"
    store.change(variant="shared_tile")
    assert area.launches.figure is None


def test_maximized_there_are_key_figures_and_a_table_to_copy(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    show(store, recorded.block_sweep())
    assert store.launch_preview is not None
    store.set_launch_preview(replace(store.launch_preview, device=recorded.device()))
    store.set_maximized(True)
    pane.resize(816, 640)
    pane.grab()
    side = pane.sweep_side
    assert side.key_figures.isVisible()
    assert side.key_figures.accessibleName().startswith("Fastest: 32 × 2 316 µs.")
    assert "GFLOP/s" in side.key_figures.accessibleName()
    side.table.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 28
    assert lines[1].split("\t")[:3] == ["32 × 1", "32 × 1", "32, 1024"]
    row = next(line.split("\t") for line in lines if line.startswith("32 × 2\t"))
    assert row[4] == "316 µs"
    assert row[5:7] == ["315 µs to 317 µs", "9"]
    assert row[8] == "fastest"
    assert [line.split("\t")[8] for line in lines if "tie" in line] == ["tie", "tie"]
    header, place = side.table.horizontalHeader(), RANK
    assert header.sectionSize(place) >= header.sectionSizeHint(place)
    side._on_row_activated(side.launch_model.index(0, 0))
    assert store.workspace.block == Dim3(32)


def test_settings_offer_blocks_as_a_line_or_a_plane(pane: TimingsPane, store: Store) -> None:
    store.set_over(Over.BLOCK)
    settings = pane.sweep_side.area.settings
    assert len(settings.blocks_page.blocks()) == 27
    assert settings.wanted() == ()
    field = settings.blocks_page.fields["x from"]
    field.setText("16")
    field.textEdited.emit("16")
    field.editingFinished.emit()
    assert {block.x for block in settings.wanted() if isinstance(block, Dim3)} == {16, 32, 64, 128}
    store.set_workspace(Workspace(live=False))
    assert [block.x for block in settings.blocks_page.blocks()] == [32, 64, 128, 256, 512, 1024]
    settings.blocks_page.step.set_value("warp")
    assert len(settings.blocks_page.blocks()) == 32


def test_several_gpus_can_share_a_sweep(
    pane: TimingsPane, store: Store, recorded: ModuleType, qtbot: QtBot
) -> None:
    settings = pane.sweep_side.area.settings
    assert not settings.share.isVisibleTo(settings)
    gpus = tuple(replace(recorded.device(), index=number) for number in range(2))
    store.set_devices(DevicesResult(gpus, (), ()))
    assert settings.share.isVisibleTo(settings)
    settings.share.setChecked(True)
    with qtbot.waitSignal(store.sweep_requested):
        settings._start.click()
    assert store.sweep_choices.all_gpus


def test_sizes_that_a_person_chose_stay_with_another_kernel_of_the_operation(
    pane: TimingsPane, store: Store
) -> None:
    settings = pane.sweep_side.area.settings
    field = settings.sizes_page.fields["from"]
    field.setText("32")
    field.textEdited.emit("32")
    field.editingFinished.emit()
    chosen = settings.wanted()
    assert chosen
    store.change(variant="shared_tile")
    assert settings.wanted() == chosen
    store.set_workspace(Workspace(live=False))
    assert settings.wanted() == ()


def test_details_tell_how_a_sweep_over_blocks_was_measured(
    pane: TimingsPane, store: Store, recorded: ModuleType
) -> None:
    sweep = recorded.block_sweep()
    assert not pane.run_side.details.isEnabled()
    show(store, sweep)
    assert pane.run_side.details.isEnabled()
    told = {fact.name: fact.value for one in launch_details(sweep.points) for fact in one.rows}
    assert told["H200"].startswith("converged to ±2 % at ")
    assert told["SM clock"].endswith("MHz")
    assert told["Samples discarded"] == "0"
    assert launch_details(modeled(sweep).points) == []
