# SPDX-License-Identifier: MIT
"""Runs from request to result, with real compiled kernels."""

from __future__ import annotations

from dataclasses import replace
from queue import Queue
from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.cuda import find_gpus
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Verdict
from threadloom.model.job import EngineChoice, Job
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import SeriesKey
from threadloom.services.dispatcher import Executor
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.run import RunProgress, RunRequest
from threadloom.services.run.resolve import JobError
from threadloom.services.worker_entry import handle
from threadloom.worker.event import Event, Finished, Progressed
from threadloom.worker.protocol import Cancelled
from threadloom.worker.supervisor import Supervisor
from threadloom.worker.time_limit import TimeLimit

Listener = Any  # of conftest.py
ADD = Job("vector_add", "grid", {"n": 1000}, engine=EngineChoice.EMULATOR)

OTHER_NAMES = """
__global__ void plus(const float* x, const float* y, float* out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = x[i] + y[i];
}
"""


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


def _run(executor: Executor, listener: Listener, request: RunRequest) -> Run:
    result = executor.answer(request, listener)
    assert isinstance(result, Run)
    return result


def _kinds(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.kind for finding in findings}


def test_a_run_matches_numpy_and_is_observed(executor: Executor, listener: Listener) -> None:
    result = _run(executor, listener, RunRequest(ADD, block=Dim3(3)))
    assert result.matches
    assert result.engine is Engine.EMULATOR
    np.testing.assert_array_equal(result.outputs["c"], result.inputs["a"] + result.inputs["b"])
    assert result.trace is not None
    assert result.trace.coverage["c"].uncovered == 0
    assert result.trace.block is not None
    assert result.trace.block.block == Dim3(3)
    assert result.signature is not None
    assert result.signature.name == "vec_add"
    stages = [m.stage for m in listener.messages if isinstance(m, RunProgress)]
    assert stages == ["compiling", "running", "timing"]


def test_timings_say_where_they_come_from(executor: Executor, listener: Listener) -> None:
    result = _run(executor, listener, RunRequest(ADD))
    sources = {timing.key: timing.provenance for timing in result.timings}
    assert sources[SeriesKey.C_LOOP] is sources[SeriesKey.NUMPY] is Provenance.MEASURED
    modeled = (SeriesKey.KERNEL, SeriesKey.H2D, SeriesKey.D2H, SeriesKey.TOTAL)
    assert {sources[key] for key in modeled} == {Provenance.MODELED}
    assert {t.device for t in result.timings if t.key in modeled} == {"RTX 4090"}
    assert result.timeline is not None
    assert result.timeline.provenance is Provenance.MODELED


def test_a_result_goes_ahead_of_its_times_and_only_where_they_take_long(
    executor: Executor, listener: Listener
) -> None:
    request = RunRequest(replace(ADD, sizes={"n": 1234}), ahead=True)
    timed = _run(executor, listener, request)
    [ahead] = [m for m in listener.messages if isinstance(m, Run)]
    assert ahead.matches
    assert ahead.trace is not None
    assert ahead.timeline is not None
    assert not ahead.timings
    assert timed.timings
    assert not timed.outputs
    listener.messages.clear()
    again = _run(executor, listener, request)
    assert not any(isinstance(m, Run) for m in listener.messages)
    assert again.trace is not None
    assert again.timings


def test_a_refused_launch_is_never_launched(executor: Executor, listener: Listener) -> None:
    job = replace(ADD, variant="one_block", sizes={"n": 500_000}, block=Dim3(500_000))
    result = _run(executor, listener, RunRequest(job))
    assert not result.launched
    assert result.matches is None
    (finding,) = [f for f in result.findings if f.kind == "block-too-large"]
    assert "500,000" in str(finding.message)
    assert "1,024" in str(finding.message)
    for fix in finding.fixes:
        fixed = replace(job, variant=fix.variant or job.variant, block=fix.block, grid=fix.grid)
        assert _run(executor, listener, RunRequest(fixed, timings=False)).matches


def test_too_small_a_grid_leaves_elements_out(executor: Executor, listener: Listener) -> None:
    job = replace(ADD, block=Dim3(256), grid=Dim3(3))
    result = _run(executor, listener, RunRequest(job, timings=False))
    assert result.matches is False
    assert result.trace is not None
    assert result.trace.coverage["c"].uncovered == 232
    assert {"uncovered", "mismatch"} <= _kinds(result.findings)


def test_a_tile_at_odd_sizes(executor: Executor, listener: Listener) -> None:
    job = Job("matmul", "shared_tile", {"m": 200, "n": 170, "k": 150}, engine=EngineChoice.EMULATOR)
    assert _run(executor, listener, RunRequest(job, timings=False)).matches


def test_an_edited_kernel_with_names_of_its_own(executor: Executor, listener: Listener) -> None:
    job = replace(ADD, source=OTHER_NAMES)
    result = _run(executor, listener, RunRequest(job, timings=False))
    assert result.matches
    assert result.trace is not None
    assert set(result.trace.coverage) == {"c"}
    assert set(result.outputs) == {"c"}


def test_a_parameter_that_gets_nothing_is_a_finding(executor: Executor, listener: Listener) -> None:
    source = OTHER_NAMES.replace("int count)", "int count, float scale)")
    result = _run(executor, listener, RunRequest(replace(ADD, source=source)))
    assert not result.launched
    (finding,) = [f for f in result.findings if f.kind == "parameter-unbound"]
    assert "scale" in str(finding.message)


def test_a_source_that_does_not_compile(executor: Executor, listener: Listener) -> None:
    source = OTHER_NAMES.replace("y[i];", "y[i]")
    result = _run(executor, listener, RunRequest(replace(ADD, source=source)))
    assert not result.launched
    assert next(d.line for d in result.diagnostics if d.severity == "error") in {5, 6}
    assert any(f.verdict == Verdict.COMPILE_ERROR for f in result.findings)


def test_a_job_that_means_nothing(executor: Executor, listener: Listener) -> None:
    for changes in ({"model": "RTX 9"}, {"operation": "x"}):
        with pytest.raises(JobError):
            executor.answer(RunRequest(replace(ADD, **changes)), listener)  # type: ignore[arg-type]


@pytest.mark.skipif(bool(find_gpus()), reason="there is a GPU")
def test_without_a_gpu(executor: Executor, listener: Listener) -> None:
    with pytest.raises(EngineUnavailableError):
        executor.answer(RunRequest(replace(ADD, engine=EngineChoice.GPU)), listener)
    automatic = _run(
        executor, listener, RunRequest(replace(ADD, engine=EngineChoice.AUTO), timings=False)
    )
    assert automatic.engine is Engine.EMULATOR


def test_nobody_waits_for_it_any_more(executor: Executor, listener: Listener) -> None:
    listener.cancel_after = 1
    with pytest.raises(Cancelled):
        executor.answer(RunRequest(ADD), listener)


def test_what_is_here(executor: Executor, listener: Listener) -> None:
    result = executor.answer(DevicesRequest(), listener)
    assert isinstance(result, DevicesResult)
    assert len(result.models) >= 12
    assert {str(what) for what, _found, _text in result.checked} >= {"Emulator", "PyCUDA"}


def test_in_a_child_a_turned_knob_uses_what_is_there() -> None:
    """Kernel, inputs, reference and baselines of a million elements are made once."""
    events: Queue[Event] = Queue()
    supervisor = Supervisor(handle, on_event=events.put, spare=False)
    results: list[Run] = []
    try:
        for threads in (64, 1024):
            job = replace(ADD, sizes={"n": 1_000_000}, block=Dim3(threads))
            supervisor.submit(threads, RunRequest(job), TimeLimit(30))
            while isinstance(event := events.get(timeout=60), Progressed):
                pass
            assert isinstance(event, Finished)
            assert isinstance(event.result, Run)
            results.append(event.result)
    finally:
        supervisor.close()
    first, second = results
    assert first.matches
    assert second.matches
    assert second.launch.block == Dim3(1024)
    assert second.compilation is not None
    assert (second.compilation.from_cache, second.compilation.compile_s) == (True, 0.0)
    baselines = {SeriesKey.C_LOOP, SeriesKey.NUMPY}
    assert [t for t in first.timings if t.key in baselines] == [
        t for t in second.timings if t.key in baselines
    ]


SPINS = """__global__ void vec_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 70)
        while (((volatile float *)c)[0] != 3.0f) {}
    if (i < n) c[i] = 0.0f;
}
"""


def test_an_endless_kernel_is_stopped_and_its_line_named(
    executor: Executor, listener: Listener
) -> None:
    job = replace(ADD, source=SPINS, block=Dim3(64))
    result = _run(executor, listener, RunRequest(job, kernel_limit_s=0.3))
    (finding,) = (f for f in result.findings if f.severity is Severity.ERROR)
    assert str(finding.message) == "Timeout: the kernel ran longer than 300 ms and was stopped."
    assert str(finding.detail) == "Line 5, block 1, thread 6"
    assert finding.where.line == 5
    assert (finding.where.block, finding.where.thread) == (Dim3(1, 0, 0), Dim3(6, 0, 0))
    assert (finding.kind, finding.verdict) == ("endless", "launch-error")
    assert not result.launched
    assert result.matches is None
    again = _run(executor, listener, RunRequest(ADD))
    assert again.matches
