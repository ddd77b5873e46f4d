# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.presentation.mapping.mapping_model import Phase
from threadloom.presentation.mapping.tooltips import element_tip
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Theme

VectorRun = Callable[..., Run]
THREAD = ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0))


@pytest.fixture
def view(qtbot: QtBot, store: Store, appearance: Appearance) -> Iterator[MappingView]:
    made = MappingView(store, appearance)
    made.set_reduced_motion(True)
    qtbot.addWidget(made)
    made.resize(872, 486)
    made.show()
    yield made
    made.playback.pause()


@pytest.fixture
def shown(view: MappingView, store: Store, example: Run) -> MappingView:
    store.change(sizes={"n": 1000})
    store.set_run(example)
    return view


def grabbed(view: MappingView) -> QImage:
    return view.canvas.grab().toImage()


def middle_of_element(view: MappingView, element: int) -> QPoint:
    rect = view.canvas._ensured().data.rects_of(element)[-1]
    return rect.center().toPoint()


def test_before_a_run_all_blocks_wait(view: MappingView) -> None:
    assert view.model.phase is Phase.PLANNED
    assert view.model.launch.blocks == 3907
    assert not view.transport.scrubber.isEnabled()


def test_a_result_is_drawn(view: MappingView, store: Store, vector_run: VectorRun) -> None:
    before = grabbed(view)
    store.set_run(vector_run(1_000_000))
    view.playback.move(view.playback.duration_s)
    assert view.model.phase is Phase.RAN
    assert grabbed(view) != before


def test_pointing_follows_the_thread_that_wrote_the_element(
    shown: MappingView, store: Store, qtbot: QtBot
) -> None:
    qtbot.mouseMove(shown.canvas, middle_of_element(shown, 549))
    assert store.selected_thread is not None
    assert store.selected_thread.thread == THREAD
    assert not store.selected_thread.pinned
    expected = "Block 2, thread 37, element 549, written once, 617.6250"
    assert shown.canvas.accessibleDescription() == expected


def test_a_click_pins_and_another_lets_go(shown: MappingView, store: Store, qtbot: QtBot) -> None:
    place = middle_of_element(shown, 549)
    qtbot.mouseClick(shown.canvas, Qt.MouseButton.LeftButton, pos=place)
    assert store.selected_thread is not None
    assert store.selected_thread.pinned
    other = middle_of_element(shown, 3)
    qtbot.mouseMove(shown.canvas, other)
    assert store.selected_thread.thread == THREAD
    qtbot.mouseClick(shown.canvas, Qt.MouseButton.LeftButton, pos=middle_of_element(shown, 549))
    assert store.selected_thread is not None
    assert not store.selected_thread.pinned


def test_escape_lets_go(shown: MappingView, store: Store, qtbot: QtBot) -> None:
    store.select_thread(THREAD, pinned=True)
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Escape)
    assert store.selected_thread is None


def test_alt_and_arrows_move_the_followed_thread(
    shown: MappingView, store: Store, qtbot: QtBot
) -> None:
    store.select_thread(THREAD, pinned=True)
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert store.selected_thread is not None
    assert store.selected_thread.thread.thread.x == 38
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert store.selected_thread.thread.thread.x == 70


def test_home_and_end_move_the_play_head(shown: MappingView, store: Store, qtbot: QtBot) -> None:
    qtbot.keyClick(shown.canvas, Qt.Key.Key_End)
    assert store.playhead_s == pytest.approx(4e-6)
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Home)
    assert store.playhead_s == 0.0


def test_a_play_head_that_is_moved_elsewhere_moves_the_scrubber(
    shown: MappingView, store: Store
) -> None:
    store.set_playhead(2e-6)
    assert shown.transport.scrubber.share() == pytest.approx(0.5)
    assert shown.playback.position_s == 2e-6


def test_steps_follow_the_accesses_of_the_followed_block(shown: MappingView, store: Store) -> None:
    store.select_thread(THREAD, pinned=True)
    store.set_playhead(0.0)
    positions = []
    for _step in range(3):
        shown.step(1)
        positions.append(shown.playback.position_s)
    # Warp 1 is the second of 8 to make each of the 3 steps.
    made = [4e-6 * (step + 2 / 8) / 3 for step in range(3)]
    assert positions == pytest.approx(made, rel=1e-4)
    shown.step(-1)
    assert shown.playback.position_s == pytest.approx(made[1], rel=1e-4)


def test_the_accesses_of_an_unseen_block_are_asked_for(
    shown: MappingView, store: Store, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(shown.block_trace_requested):
        store.select_thread(THREAD)
    with qtbot.waitSignal(shown.block_trace_requested) as asked:
        store.select_thread(ThreadId(Dim3(1, 0, 0), Dim3(0, 0, 0)))
    assert asked.args == [Dim3(1, 0, 0)]


def test_a_new_result_keeps_the_place_of_the_play_head(
    shown: MappingView, store: Store, vector_run: VectorRun
) -> None:
    store.set_playhead(1e-6)
    store.set_run(vector_run(1200))
    assert shown.playback.position_s == pytest.approx(1e-6)


def test_a_wrong_result_pins_the_first_wrong_element_that_was_written(
    view: MappingView, store: Store, vector_run: VectorRun
) -> None:
    store.change(sizes={"n": 1000}, grid=Dim3(3), grid_follows_size=False)
    store.set_run(vector_run(1000, grid=3))
    assert view.title_bar.data.value() == "times"
    assert view.playback.position_s == view.playback.duration_s


def test_an_element_that_nobody_wrote_says_which_block_would_have(
    view: MappingView, store: Store, vector_run: VectorRun
) -> None:
    store.change(sizes={"n": 1000}, grid=Dim3(3), grid_follows_size=False)
    store.set_run(vector_run(1000, grid=3))
    assert element_tip(view.model, 800) == (
        "c[800] was not written. Block 3 would be next, but the grid has 3 blocks."
    )


def test_a_refused_launch_has_nothing_to_play(view: MappingView, store: Store) -> None:
    store.change(variant="one_block", block=Dim3(500_000), grid=Dim3(1))
    assert view.model.phase is Phase.REFUSED
    assert view.model.invalid_launch is not None
    assert not view.transport.play.isEnabled()
    assert not grabbed(view).isNull()
    assert view.canvas.at(QPointF(100, 100)) is None


def test_the_formula_makes_way_for_a_banner_while_it_shows(view: MappingView) -> None:
    banner = QFrame()
    banner.hide()
    view.set_banner(banner)
    assert view.formula_bar.isVisible()
    banner.show()
    assert not view.formula_bar.isVisible()
    banner.hide()
    assert view.formula_bar.isVisible()
    view.set_banner(None)


def test_a_hidden_view_does_not_play(view: MappingView, store: Store, example: Run) -> None:
    view.set_reduced_motion(False)
    store.set_run(example)
    assert view.playback.playing
    view.hide()
    assert not view.playback.playing


def test_reduced_motion_starts_nothing(view: MappingView, store: Store, example: Run) -> None:
    store.set_run(example)
    assert not view.playback.playing


def test_zoom_and_fit_come_back_to_the_same_picture(shown: MappingView) -> None:
    before = grabbed(shown)
    shown.zoom(1)
    assert grabbed(shown) != before
    shown.fit()
    assert grabbed(shown) == before


@pytest.mark.parametrize("size", [(480, 180), (872, 240), (872, 486), (1600, 900)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_size_and_theme_can_be_drawn(
    shown: MappingView, store: Store, appearance: Appearance, size: tuple[int, int], theme: str
) -> None:
    store.select_thread(THREAD, pinned=True)
    appearance.set_theme(Theme.load(theme))
    shown.resize(*size)
    assert not shown.grab().toImage().isNull()


def test_the_largest_grid_is_drawn(view: MappingView, store: Store) -> None:
    store.change(
        sizes={"n": 2_147_483_647}, block=Dim3(1), grid=Dim3(2_147_483_647), grid_follows_size=False
    )
    assert view.model.launch.blocks == 2_147_483_647
    assert not grabbed(view).isNull()
