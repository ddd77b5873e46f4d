# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import BASELINES, Series, SeriesKey, StoppingCriterion
from threadloom.services.bench import sweep as sweep_module
from threadloom.services.bench.curve import Curve
from threadloom.services.bench.sharding import merged, merged_progress, shards
from threadloom.services.bench.sweep import Sweeper
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.services.run.engines import Engines

Listener = Any  # of conftest.py
QUICK = StoppingCriterion(min_samples=2, max_samples=4, time_limit_s=0.02)
ADD = Job("vector_add", "grid", {"n": 1000}, engine=EngineChoice.EMULATOR, block=Dim3(256))


@pytest.fixture(scope="module")
def sweeper() -> Sweeper:
    return Sweeper(Engines())


def _by_key(result: SweepResult) -> dict[SeriesKey, Series]:
    return {series.key: series for series in result.series}


def test_every_series_has_a_point_at_every_size(sweeper: Sweeper, listener: Listener) -> None:
    result = sweeper.run(SweepRequest(ADD, (100, 1000, 10_000), QUICK), listener)
    assert set(_by_key(result)) == {
        SeriesKey.C_LOOP,
        SeriesKey.NUMPY,
        SeriesKey.KERNEL,
        SeriesKey.TOTAL,
    }
    for series in result.series:
        assert [point.size for point in series.points] == [100, 1000, 10_000]
        assert all(point.samples is not None for point in series.points)
    assert result.all_match is True
    assert result.complete
    assert str(result.launch_text) == "256 threads per block, grid follows size"
    assert str(result.axis) == "n, elements"
    assert result.environment["device"] == "RTX 4090"
    assert [str(found.baseline) for found in result.break_even] == [
        str(series.label) for series in result.series[:2]
    ]


def test_measured_and_modeled_are_told_apart(sweeper: Sweeper, listener: Listener) -> None:
    series = _by_key(sweeper.run(SweepRequest(ADD, (100,), QUICK), listener))
    assert series[SeriesKey.NUMPY].provenance is Provenance.MEASURED
    assert series[SeriesKey.NUMPY].engine is Engine.HOST
    assert series[SeriesKey.KERNEL].provenance is Provenance.MODELED
    assert series[SeriesKey.KERNEL].device == "RTX 4090"


def test_a_bare_size_sets_every_axis_and_progress_is_told(
    sweeper: Sweeper, listener: Listener
) -> None:
    job = Job("matmul", "naive", {"m": 8, "n": 8, "k": 8}, engine=EngineChoice.EMULATOR)
    result = sweeper.run(SweepRequest(job, (16, 32), QUICK), listener)
    assert str(result.axis) == "m = n = k"
    assert result.all_match is True
    told = [m for m in listener.messages if isinstance(m, SweepProgress)]
    assert [(m.done, m.total) for m in told] == [(1, 2), (2, 2)]
    assert told[0].left_s is not None
    assert told[0].left_s > 0
    assert [len(series.points) for series in told[0].series] == [1, 1, 1, 1]


def test_a_wish_to_stop_gives_what_there_is(sweeper: Sweeper, listener: Listener) -> None:
    listener.cancel_after = 1
    result = sweeper.run(SweepRequest(ADD, (100, 200, 400), QUICK), listener)
    assert not result.complete
    assert [point.size for point in result.series[0].points] == [100]


def test_what_a_device_refuses_is_skipped_with_the_reason(
    sweeper: Sweeper, listener: Listener
) -> None:
    job = replace(ADD, variant="one_block", block=None)
    series = _by_key(sweeper.run(SweepRequest(job, (1000, 2000), QUICK), listener))
    assert series[SeriesKey.KERNEL].points[0].samples is not None
    refused = series[SeriesKey.KERNEL].points[1]
    assert refused.samples is None
    assert "2,000" in str(refused.skipped)
    assert series[SeriesKey.NUMPY].points[1].samples is not None


def test_what_does_not_fit_the_memory_is_skipped(
    sweeper: Sweeper, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_module, "available_bytes", lambda: 50_000)
    result = sweeper.run(SweepRequest(ADD, (1000, 2000), QUICK), listener)
    small, large = result.series[0].points
    assert small.samples is not None
    assert str(large.skipped) == "Out of memory: 72 kB needed, 50 kB available."


def test_a_size_beyond_the_kernels_index_is_skipped(sweeper: Sweeper, listener: Listener) -> None:
    result = sweeper.run(SweepRequest(ADD, (2**31 - 1,), QUICK), listener)
    assert "32-bit" in str(result.series[0].points[0].skipped)


def test_a_series_ends_where_a_run_would_take_too_long(
    sweeper: Sweeper, listener: Listener
) -> None:
    request = SweepRequest(ADD, (1000, 2000), QUICK, skip_above_s=1e-7)
    loop = _by_key(sweeper.run(request, listener))[SeriesKey.C_LOOP]
    assert loop.points[1].samples is None
    assert "over the limit of 100 ns" in str(loop.points[1].skipped)


def test_a_curve_guesses_from_its_last_point() -> None:
    curve = Curve(SeriesKey.NUMPY, literal(""), Provenance.MEASURED, Engine.HOST, "", literal(""))
    assert curve.seconds(10) is None
    from threadloom.model.timing.samples import Samples

    curve.add(1, Samples((2.0,)), work=4.0)
    assert curve.seconds(10) == 5.0
    curve.stop_if_slow(10, limit_s=4.0)
    assert str(curve.stopped) == "One run would take about 5 s, over the limit of 4 s."


def test_the_loop_on_all_threads_is_a_series_where_rows_stand_by_themselves(
    sweeper: Sweeper, listener: Listener
) -> None:
    result = sweeper.run(SweepRequest(ADD, (1000,), QUICK, baselines=BASELINES), listener)
    threaded = _by_key(result)[SeriesKey.C_LOOP_THREADS]
    assert threaded.provenance is Provenance.MEASURED
    assert threaded.points[0].samples is not None
    assert str(threaded.label) in [str(found.baseline) for found in result.break_even]
    whole = Job("reduce_sum", "shared_tree", {"n": 1000}, engine=EngineChoice.EMULATOR)
    other = sweeper.run(SweepRequest(whole, (1000,), QUICK, baselines=BASELINES), listener)
    assert SeriesKey.C_LOOP_THREADS not in _by_key(other)


def test_sizes_of_an_earlier_sweep_are_taken_over(sweeper: Sweeper, listener: Listener) -> None:
    first = sweeper.run(SweepRequest(ADD, (100, 1000), QUICK), listener)
    again = sweeper.run(SweepRequest(ADD, (100, 1000, 3000), QUICK, done=first.series), listener)
    for earlier, series in zip(first.series, again.series, strict=True):
        assert series.points[:2] == earlier.points
        assert series.points[2].samples is not None


def test_what_an_earlier_sweep_skipped_is_not_tried_again(
    sweeper: Sweeper, listener: Listener
) -> None:
    job = replace(ADD, operation="matmul", variant="naive", sizes={}, block=None)
    request = SweepRequest(job, (8, 600), QUICK, skip_above_s=1e-3)
    first = sweeper.run(request, listener)
    loop = _by_key(first)[SeriesKey.C_LOOP]
    assert [point.samples is None for point in loop.points] == [False, True]
    again = sweeper.run(replace(request, done=first.series), listener)
    assert [series.points for series in again.series] == [s.points for s in first.series]


def test_only_the_baselines_that_are_chosen_are_timed(sweeper: Sweeper, listener: Listener) -> None:
    request = SweepRequest(ADD, (1000,), QUICK, baselines=(SeriesKey.NUMPY,))
    result = sweeper.run(request, listener)
    assert set(_by_key(result)) == {SeriesKey.NUMPY, SeriesKey.KERNEL, SeriesKey.TOTAL}


def test_a_sweep_that_is_shared_times_the_kernel_alone(
    sweeper: Sweeper, listener: Listener
) -> None:
    whole = SweepRequest(ADD, (100, 1000, 10_000), QUICK)
    parts = shards(whole, (0, 1))
    assert [part.job.device for part in parts] == [0, 1]
    assert all(part.job.engine == "gpu" for part in parts)
    emulated = [replace(part, job=ADD) for part in parts if isinstance(part, SweepRequest)]
    assert [part.sizes for part in emulated] == [(100, 10_000), (1000,)]
    result = merged(whole, [sweeper.run(part, listener) for part in emulated])
    assert isinstance(result, SweepResult)
    (kernel,) = result.series
    assert kernel.key is SeriesKey.KERNEL
    assert [point.size for point in kernel.points] == [100, 1000, 10_000]
    assert result.complete
    assert result.break_even == ()


def test_progress_holds_what_there_is_if_the_sweep_ends(
    sweeper: Sweeper, listener: Listener
) -> None:
    sweeper.run(SweepRequest(ADD, (100, 1000), QUICK), listener)
    told = [m for m in listener.messages if isinstance(m, SweepProgress)]
    assert told[0].so_far is not None
    assert not told[0].so_far.complete
    assert told[0].so_far.series == told[0].series
    both = merged_progress(SweepRequest(ADD, (100, 1000), QUICK), [told[0]])
    assert isinstance(both, SweepProgress)
    assert (both.done, both.total) == (1, 2)
