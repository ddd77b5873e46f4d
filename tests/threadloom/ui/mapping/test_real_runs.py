# SPDX-License-Identifier: MIT
"""Every operation as the emulator really runs it, drawn and told about."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch_preview import preview_launch
from threadloom.presentation.mapping.mapping_model import Phase, of_result
from threadloom.presentation.mapping.selection import planned
from threadloom.presentation.mapping.tooltips import selected_thread_text
from threadloom.services.dispatcher import Executor
from threadloom.services.messages.run import RunRequest
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.panels.inspector.inspector import Inspector
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance
from threadloom_kernels import discover

FIRST = ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0))


class Quiet:
    cancelled = False

    def progress(self, message: object) -> None: ...

    def check(self) -> None: ...

    def extend_deadline(self, seconds: float | None = None) -> None: ...

    def recycle(self) -> None: ...


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


def run(executor: Executor, operation: str, variant: str, **sizes: int) -> Run:
    every = discover()[operation].sizes(sizes)
    job = Job(operation, variant, every, engine=EngineChoice.EMULATOR)
    answer = executor.answer(RunRequest(job, block=Dim3(0, 0, 0), timings=False), Quiet())
    assert isinstance(answer, Run)
    assert answer.launched
    return answer


def choose(store: Store, result: Run) -> None:
    job = result.job
    store.change(
        operation=job.operation,
        variant=job.variant,
        sizes=job.sizes,
        block=result.launch.block,
    )


@pytest.mark.parametrize("name", sorted(discover()))
def test_every_operation_is_drawn_and_told_about(
    name: str, executor: Executor, store: Store, appearance: Appearance, qtbot: QtBot
) -> None:
    operation = discover()[name]
    sizes = {axis.name: 33 if axis.name != "radius" else 1 for axis in operation.axes}
    result = run(executor, name, operation.variants[0].name, **sizes)
    view, inspector = MappingView(store, appearance), Inspector(store, appearance)
    for widget in (view, inspector):
        qtbot.addWidget(widget)
        widget.show()
    view.set_reduced_motion(True)
    view.resize(872, 486)
    choose(store, result)
    store.set_run(result)
    store.select_thread(FIRST, pinned=True)
    for share in (0.0, 0.4, 1.0):
        view.playback.move(share * view.playback.duration_s)
        assert not view.grab().toImage().isNull()
    assert view.model.phase is Phase.RAN
    assert view.model.coverage is not None
    assert view.model.matches
    words = selected_thread_text(view.model, FIRST, view.model.element_of_thread(FIRST))
    assert view.canvas.accessibleDescription() == words
    assert inspector.thread_page.table.accesses.total > 0
    assert not inspector.grab().toImage().isNull()


def test_the_operands_of_a_product_show_what_the_thread_really_reads(
    executor: Executor, store: Store, appearance: Appearance, qtbot: QtBot
) -> None:
    result = run(executor, "matmul", "naive", m=40, n=48, k=32)
    choose(store, result)
    view = MappingView(store, appearance)
    qtbot.addWidget(view)
    view.set_reduced_motion(True)
    view.resize(872, 486)
    view.show()
    store.set_run(result)
    store.select_thread(FIRST, pinned=True)
    assert view.model.product == ("A", "B")
    trace = view.model.trace_of(Dim3(0, 0, 0))
    assert trace is not None
    mine = trace.thread == 0
    row = trace.element[mine & (trace.array == trace.arrays.index("A"))]
    column = trace.element[mine & (trace.array == trace.arrays.index("B"))]
    assert np.array_equal(np.sort(row), np.arange(32))
    assert np.array_equal(np.sort(column), np.arange(32) * 48)
    view.playback.move(0.0)
    before = view.canvas.grab().toImage()
    view.playback.move(view.playback.duration_s)
    assert view.canvas.grab().toImage() != before


UNGUARDED = """
typedef float real;
__global__ void vec_add(const real *a, const real *b, real *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
"""


def test_accesses_past_the_end_are_known_to_the_picture(
    executor: Executor, store: Store, appearance: Appearance, qtbot: QtBot
) -> None:
    job = Job("vector_add", "grid", {"n": 1000}, engine=EngineChoice.EMULATOR, source=UNGUARDED)
    result = executor.answer(RunRequest(job, timings=False), Quiet())
    assert isinstance(result, Run)
    store.change(sizes={"n": 1000})
    view = MappingView(store, appearance)
    qtbot.addWidget(view)
    view.set_reduced_motion(True)
    view.resize(872, 486)
    view.show()
    store.set_run(result)
    (beyond,) = view.model.beyond
    assert (beyond.array, beyond.index, beyond.count) == ("c", 1000, 24)
    view.playback.move(0.0)
    before = view.canvas.grab().toImage()
    view.playback.move(view.playback.duration_s)
    assert view.canvas.grab().toImage() != before


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_counts_are_named_by_their_own_type(
    executor: Executor, catalog: Catalog, dtype: str
) -> None:
    """A histogram counts in int32, whatever the type of what is counted; run or not."""
    chosen = Workspace(operation="histogram", variant="atomic", sizes={"n": 64, "bins": 8})
    ahead = preview_launch(chosen.with_(dtype=dtype), catalog, None, None)
    assert planned(ahead).dtype == "int32"
    result = run(executor, "histogram", "atomic", n=64, bins=8)
    assert of_result(result, "counts").dtype == "int32"
    adds = preview_launch(Workspace(dtype=dtype), catalog, None, None)
    assert planned(adds).dtype == dtype
