# SPDX-License-Identifier: MIT

import itertools
import types
from collections.abc import Callable, Mapping

import numpy as np
import pytest
import threadpoolctl  # type: ignore[import-untyped]

from threadloom.backends.host import numpy_label, numpy_samples
from threadloom.backends.host.measurement import measure
from threadloom.backends.host.numpy_baseline import blas_name, blas_threads
from threadloom.model.array import Array, Sizes
from threadloom.model.timing.samples import StoppingCriterion


class Clock:
    """A clock that a function under test moves on by what it is said to take."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.calls = 0

    def perf_counter(self) -> float:
        return self.now_s

    def perf_counter_ns(self) -> int:
        return round(self.now_s * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    module = types.SimpleNamespace(
        perf_counter=clock.perf_counter,
        perf_counter_ns=clock.perf_counter_ns,
        get_clock_info=lambda _name: types.SimpleNamespace(resolution=1e-7),
    )
    monkeypatch.setattr("threadloom.backends.host.measurement.time", module)
    return clock


def taking(clock: Clock, *seconds: float) -> Callable[[], None]:
    times = itertools.cycle(seconds)

    def call() -> None:
        clock.calls += 1
        clock.now_s += next(times)

    return call


def test_a_steady_function_stops_at_the_minimum(clock: Clock) -> None:
    samples = measure(
        taking(clock, 0.001), StoppingCriterion(min_samples=10, max_samples=100, time_limit_s=10)
    )
    assert len(samples.seconds) == 10
    assert samples.median_s == pytest.approx(0.001)
    assert samples.converged


def test_a_noisy_function_is_timed_to_the_maximum_and_does_not_converge(clock: Clock) -> None:
    samples = measure(
        taking(clock, 0.001, 0.003),
        StoppingCriterion(min_samples=5, max_samples=40, time_limit_s=10),
    )
    assert len(samples.seconds) == 40
    assert not samples.converged
    assert samples.min_s == pytest.approx(0.001)
    assert samples.max_s == pytest.approx(0.003)


def test_short_calls_are_counted_together(clock: Clock) -> None:
    samples = measure(
        taking(clock, 1e-7), StoppingCriterion(min_samples=5, max_samples=5, time_limit_s=10)
    )
    assert samples.median_s == pytest.approx(1e-7, rel=0.02)
    assert clock.calls > 5 * 1000
    assert samples.timer_resolution_s == pytest.approx(1e-7 / ((clock.calls - 1) / 5), rel=0.5)
    assert not samples.below_resolution


def test_the_time_limit_holds(clock: Clock) -> None:
    samples = measure(
        taking(clock, 0.1, 0.4),
        StoppingCriterion(min_samples=10, max_samples=1000, time_limit_s=1.0),
    )
    assert len(samples.seconds) < 6
    assert not samples.converged


def test_a_function_slower_than_the_limit_runs_once(clock: Clock) -> None:
    samples = measure(taking(clock, 30.0), StoppingCriterion(time_limit_s=1.0))
    assert samples.seconds == pytest.approx([30.0])
    assert clock.calls == 1
    assert not samples.converged


def test_numpy_is_timed_on_the_given_inputs(clock: Clock) -> None:
    seen = []

    def reference(arrays: Mapping[str, Array], sizes: Sizes) -> Mapping[str, Array]:
        seen.append((arrays["a"].size, sizes["n"]))
        clock.now_s += 0.001
        return {"c": arrays["a"] * 2}

    rule = StoppingCriterion(min_samples=3, max_samples=3, time_limit_s=0.05)
    samples = numpy_samples(reference, {"a": np.ones(10)}, {"n": 10}, rule)
    assert set(seen) == {(10, 10)}
    assert samples.seconds == pytest.approx([0.001] * 3)


def test_numpy_is_named_with_version_and_threads() -> None:
    version = ".".join(np.__version__.split(".")[:2])
    assert str(numpy_label()).startswith(
        f"NumPy {version}, {blas_name()} on {blas_threads()} thread"
    )


def test_the_blas_library_is_named_as_its_makers_write_it() -> None:
    names = {pool["internal_api"] for pool in threadpoolctl.threadpool_info()}
    assert blas_name().lower() in names
