# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from pytestqt.qtbot import QtBot

from threadloom.model.device import DeviceModel
from threadloom.presentation.launch.device_entries import device_entries
from threadloom.services.messages.devices import DevicesResult
from threadloom.ui.shell.busy_line import BusyLine
from threadloom.ui.shell.status_bar import StatusBar
from threadloom.ui.state.store import Activity, LaunchSweep, Over, Store
from threadloom.ui.theme.theme import Appearance


def test_a_sweep_over_blocks_says_how_far_it_is(
    qtbot: QtBot, store: Store, appearance: Appearance, recorded: ModuleType
) -> None:
    bar, line = StatusBar(store, appearance), BusyLine(store, appearance)
    for widget in (bar, line):
        qtbot.addWidget(widget)
    whole = recorded.block_sweep()
    choices = tuple(point.choice for point in whole.points)
    store.set_over(Over.BLOCK)
    store.set_activity(Activity.SWEEPING)
    part = replace(whole, points=whole.points[:9], complete=False)
    store.set_launch_sweep(LaunchSweep(Over.BLOCK, part, choices, running=True))
    assert bar.compiling.text == "9 of 27 launches"
    assert line._share == 9 / 27


def test_of_several_gpus_each_is_told_by_its_number(recorded: ModuleType) -> None:
    gpu = recorded.device()
    two = tuple(replace(gpu, index=number) for number in range(2))
    told = [entry.extra for entry in device_entries((), _here(two))]
    assert told == ["GPU 0 · sm_90 · 132 SMs", "GPU 1 · sm_90 · 132 SMs"]
    assert [entry.extra for entry in device_entries((), _here((gpu,)))] == ["sm_90 · 132 SMs"]


def _here(gpus: tuple[DeviceModel, ...]) -> DevicesResult:
    return DevicesResult(gpus, (), ())
