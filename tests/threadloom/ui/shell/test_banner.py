# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.run_records import make_run

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch_preview import preview_launch
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.run.failed_run import failed_run
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.panels.inspector.inspector import Inspector
from threadloom.ui.shell.banner import Banner
from threadloom.ui.shell.status_bar import check_words
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance
from threadloom.worker.outcome import ExitReason, Outcome

TOO_LARGE = Workspace(
    variant="one_block",
    sizes={"n": 500_000},
    block=Dim3(500_000),
    grid=Dim3(1),
    grid_follows_size=False,
)
WORDS = "cuFuncSetBlockShape failed: invalid argument"


@pytest.fixture
def gpu(catalog: Catalog) -> DeviceModel:
    return replace(catalog.models["RTX 4090"], index=0)


@pytest.fixture
def on_gpu(qapp: object, catalog: Catalog, gpu: DeviceModel) -> Store:
    """A store that holds a launch against a GPU's limits; nothing runs."""
    store = Store(TOO_LARGE)
    devices = DevicesResult((gpu,), (), ())
    store.set_devices(devices)
    store.set_launch_preview(preview_launch(store.workspace, catalog, devices, None))
    return store


def refused(store: Store, gpu: DeviceModel) -> Run:
    """What a run says whose launch the driver was asked for all the same."""
    assert store.launch_preview is not None
    died = Finding(
        "kernel-failed",
        Severity.ERROR,
        literal(f"The driver refused: {WORDS}"),
        verdict=Verdict.LAUNCH_ERROR,
        numbers={"driver": WORDS},
    )
    launch = Launch(Dim3(1), Dim3(500_000))
    findings = (*store.launch_preview.findings, died)
    return make_run(store.workspace.job(), launch, Engine.GPU, gpu, findings=findings)


def test_a_gpu_can_be_asked_all_the_same(
    qtbot: QtBot, on_gpu: Store, gpu: DeviceModel, appearance: Appearance
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    banner, inspector = Banner(on_gpu, appearance, window), Inspector(on_gpu, appearance)
    qtbot.addWidget(inspector)
    assert banner._button.text() == "Launch anyway"
    assert inspector.refused_page._said_section.title.text() == "CUDA error (predicted)"
    with qtbot.waitSignal(on_gpu.anyway_requested):
        qtbot.mouseClick(banner._button, Qt.MouseButton.LeftButton)
    on_gpu.set_run(refused(on_gpu, gpu))
    assert banner._detail.text().endswith(f"CUDA error: {WORDS}")
    assert banner._button.isHidden()
    assert inspector.refused_page._said_section.title.text() == "CUDA error"
    assert inspector.refused_page.said.text() == WORDS


def test_the_emulator_has_no_words_of_a_driver(
    qtbot: QtBot, store: Store, appearance: Appearance
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    store.set_workspace(TOO_LARGE)
    banner = Banner(store, appearance, window)
    assert banner.title == "Not launched"
    assert banner._button.isHidden()


@pytest.mark.parametrize("on_a_gpu", [False, True])
def test_a_kernel_that_crashed_is_not_said_to_be_refused(
    qtbot: QtBot, store: Store, gpu: DeviceModel, appearance: Appearance, on_a_gpu: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    banner = Banner(store, appearance, window)
    crash = Outcome(ExitReason.CRASHED, signal_name="SIGSEGV")
    if on_a_gpu:
        store.change(engine="gpu")
    result = failed_run(store.workspace.job(), crash)
    store.set_run(result)
    assert banner.title == "The kernel crashed with SIGSEGV: invalid memory access."
    assert banner._detail.text() == "There is no result. The next run starts a new process."
    assert banner._button.isHidden() is not on_a_gpu
    assert check_words(result)[0] == "Did not finish"
