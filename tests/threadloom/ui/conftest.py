# SPDX-License-Identifier: MIT
from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from tests.run_records import make_run

from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.model.schedule import modeled_timeline
from threadloom.model.trace import AccessKind, BlockTrace, Coverage, Site, Space, Trace
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch_preview import preview_launch
from threadloom.services.client import Client
from threadloom.services.devices import device_table
from threadloom.services.run.compare import compare
from threadloom.services.run.resolve import resolve
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.app.session import Session, make_catalog
from threadloom.ui.state.store import Store
from threadloom.ui.theme.appearance import register_fonts
from threadloom.ui.theme.style_sheet import palette, style_sheet
from threadloom.ui.theme.theme import Appearance, Role, Theme


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """With the fonts that ship with the program: widths are then the same on every machine."""
    register_fonts()
    return qapp


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return make_catalog(Settings())


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    made = Appearance(Theme.load("dark"))
    qapp.setStyle("Fusion")
    qapp.setFont(made.font(Role.BODY))
    qapp.setPalette(palette(made))
    qapp.setStyleSheet(style_sheet(made))
    return made


class PreviewingStore(Store):
    """A store whose launch preview follows the choices without a worker."""

    def __init__(self, workspace: Workspace, catalog: Catalog) -> None:
        super().__init__(workspace)
        self._catalog = catalog
        self.workspace_changed.connect(self.show_preview)
        self.show_preview()

    def show_preview(self, *_changed: object) -> None:
        self.set_launch_preview(preview_launch(self.workspace, self._catalog, None, self.run))


@pytest.fixture
def store(qapp: QApplication, catalog: Catalog) -> PreviewingStore:
    return PreviewingStore(Workspace(), catalog)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Makes runs and sweeps with timings; the figures are made up."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("sample_results")


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Gives what a real H200 gave."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("recorded_results")


@pytest.fixture
def vector_run() -> Callable[..., Run]:
    """Makes results of vector adds, as an observed run gives them; nothing is run for them."""
    return vector_add


def vector_add(n: int, *, block: int = 256, grid: int | None = None, traced: int = -1) -> Run:
    """What a vector add of ``n`` elements gives; ``traced`` is the block with all accesses."""
    job = Job("vector_add", "grid", {"n": n}, block=Dim3(block), grid=Dim3(grid) if grid else None)
    resolved = resolve(job)
    launch, model = resolved.launch, device_table.find("RTX 4090")
    a, b = np.arange(n, dtype=np.float32), np.arange(n, dtype=np.float32) / 8
    owner = np.where(np.arange(n) < launch.threads, np.arange(n), -1)
    written = owner >= 0
    order = np.where(written, owner % block, 0).astype(np.uint32)
    shape, several = (n,), np.zeros(n, dtype=np.bool_)
    coverage = Coverage("c", shape, owner, written.astype(np.uint32), order, several)
    c = np.where(written, a + b, np.float32(0))
    line = 1 + next(i for i, text in enumerate(resolved.source.splitlines()) if "c[i] =" in text)
    kinds = (AccessKind.READ, AccessKind.READ, AccessKind.WRITE)
    sites = tuple(Site(line, None, k, Space.GLOBAL, x) for k, x in zip(kinds, "abc", strict=True))
    trace = Trace({"c": coverage}, sites=sites)
    if traced >= 0:
        trace = replace(trace, block=_block_trace(traced, min(launch.threads, n), block, (a, b, c)))
    held = occupancy(model, launch, Resources())
    return make_run(
        job=job,
        launch=launch,
        engine=Engine.EMULATOR,
        device=model,
        signature=Signature(resolved.variant.entry, (), line - 3),
        source=resolved.source,
        comparisons=(compare("c", c, a + b, 0.0),),
        inputs={"a": a, "b": b},
        outputs={"c": c},
        trace=trace,
        occupancy=held,
        timeline=modeled_timeline(model, launch, held, 4e-6),
    )


def _block_trace(number: int, end: int, block: int, values: tuple[Array, ...]) -> BlockTrace:
    element = np.arange(number * block, min((number + 1) * block, end))
    count = element.size
    array = np.repeat(np.arange(3, dtype=np.int32), count)
    return BlockTrace(
        block=Dim3(number, 0, 0),
        thread=np.tile((element % block).astype(np.int32), 3),
        step=array,
        site=array,
        element=np.tile(element, 3),
        address=(array.astype(np.uint64) << np.uint64(20))
        + np.tile(element * 4, 3).astype(np.uint64),
        size=np.full(3 * count, 4, dtype=np.uint8),
        value=np.concatenate([part[element] for part in values]).astype(np.float64),
        array=array,
        arrays=("a", "b", "c"),
    )


SMALL = Workspace(
    sizes={"n": 64}, block=Dim3(16), grid=Dim3(4), engine=EngineChoice.EMULATOR, live=False
)
"""A launch that takes next to no time."""


@pytest.fixture
def open_session(qapp: QApplication) -> Iterator[Callable[..., Session]]:
    opened: list[tuple[Session, Client]] = []

    def open_one(workspace: Workspace = SMALL, **settings: object) -> Session:
        client = Client()
        chosen = Settings().with_(**{"reduced_motion": "on", "theme": "dark", **settings})
        session = Session(qapp, Preferences(chosen), workspace, client)
        opened.append((session, client))
        session.window.resize(1440, 900)
        session.window.show_welcome(False)
        session.window.show()
        session.window.activateWindow()
        return session

    yield open_one
    for session, client in opened:
        session.close()
        client.close()
