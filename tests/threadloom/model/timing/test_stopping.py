# SPDX-License-Identifier: MIT

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.model.timing.samples import StopRule
from threadloom.model.timing.stopping import Stopping


def filled(values: list[float], **rule: float) -> Stopping:
    stopping = Stopping(StopRule(**rule))  # type: ignore[arg-type]
    for value in values:
        stopping.add(value)
    return stopping


@given(st.lists(st.floats(1e-7, 10.0), min_size=2, max_size=50))
def test_the_error_is_that_of_the_plain_formula(values: list[float]) -> None:
    mean = statistics.fmean(values)
    expected = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) / mean
    assert filled(values).relative_error == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_steady_samples_meet_the_rule_at_the_least_number() -> None:
    assert not filled([1.0] * 9, least=10).met
    assert filled([1.0] * 10, least=10).met


def test_noisy_samples_go_on_to_the_most_and_say_so() -> None:
    noisy = filled([1.0, 3.0] * 25, least=5, most=50)
    assert noisy.finished(0.0)
    assert not noisy.samples().rule_met


def test_the_time_limit_holds_from_the_first_sample_on() -> None:
    assert not filled([], time_limit_s=1.0).finished(5.0)
    late = filled([2.0], time_limit_s=1.0)
    assert late.finished(2.0)
    assert not late.samples().rule_met
    assert late.relative_error == math.inf


def test_raw_samples_are_kept_in_order() -> None:
    samples = filled([3.0, 1.0, 2.0]).samples(cold=True)
    assert samples.seconds == (3.0, 1.0, 2.0)
    assert samples.cold
