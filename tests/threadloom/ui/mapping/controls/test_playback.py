# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from threadloom.ui.mapping.controls.playback import Playback, nice_speed
from threadloom.ui.mapping.controls.transport import speed_words


@given(st.floats(1e-9, 1e3))
def test_a_launch_lasts_four_to_eight_seconds_to_watch(duration_s: float) -> None:
    assert 4.0 <= duration_s / nice_speed(duration_s) <= 8.6


@pytest.mark.parametrize(
    ("duration_s", "words"),
    [
        (5.4e-6, "1 µs = 1 s"),
        (69.8e-6, "1 µs = 0.09 s"),
        (0.012, "1 ms = 0.5 s"),
        (3.0, "1 s = 2 s"),
    ],
)
def test_the_speed_can_be_said_plainly(duration_s: float, words: str) -> None:
    assert speed_words(nice_speed(duration_s)) == words


def test_waves_are_stepped_through_one_by_one(qapp: object) -> None:
    playback = Playback()
    playback.load(10.0, (3.0, 6.0, 10.0), 0.0)
    seen = []
    for _step in range(4):
        playback.next_wave()
        seen.append(playback.position_s)
    assert seen == [3.0, 6.0, 10.0, 10.0]
    playback.next_wave(-1)
    assert playback.position_s == 6.0


def test_plays_to_the_end_and_stops(qtbot: QtBot) -> None:
    playback = Playback()
    playback.load(1.0, (1.0,), 0.0)
    playback.set_speed(20.0)
    with qtbot.waitSignal(playback.playing_changed, check_params_cb=lambda on: not on):
        playback.play()
    assert playback.position_s == 1.0
    assert not playback.playing


def test_plays_again_from_the_start_when_it_is_at_the_end(qapp: object) -> None:
    playback = Playback()
    playback.load(1.0, (1.0,), 1.0)
    playback.play()
    assert playback.position_s == 0.0
    playback.pause()


def test_nothing_plays_without_a_launch(qapp: object) -> None:
    playback = Playback()
    playback.play()
    assert not playback.playing
