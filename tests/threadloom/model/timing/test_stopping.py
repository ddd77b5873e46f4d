# SPDX-License-Identifier: MIT

import pytest

from threadloom.model.timing.samples import StoppingCriterion
from threadloom.model.timing.stopping import SampleCollector, checks


def filled(values: list[float], **criterion: float) -> SampleCollector:
    collector = SampleCollector(StoppingCriterion(**criterion))  # type: ignore[arg-type]
    for value in values:
        collector.add(value)
    return collector


def test_steady_samples_converge_at_the_minimum() -> None:
    assert not filled([1.0] * 9, min_samples=10).converged
    assert not filled([1.0] * 9, min_samples=10).finished(0.0)
    assert filled([1.0] * 10, min_samples=10).converged
    assert filled([1.0] * 10, min_samples=10).finished(0.0)


@pytest.mark.parametrize("few", [1, 2, 5])
def test_below_six_samples_nothing_converges(few: int) -> None:
    assert not filled([1.0] * few, min_samples=1).finished(0.0)
    ended = filled([1.0] * few, min_samples=1, max_samples=few)
    assert ended.finished(0.0)
    assert not ended.converged
    assert ended.relative_half_width is None


def test_noisy_samples_go_on_to_the_maximum_and_do_not_converge() -> None:
    noisy = filled([1.0, 3.0] * 25, min_samples=5, max_samples=50)
    assert noisy.finished(0.0)
    assert not noisy.samples().converged
    assert noisy.samples().relative_half_width == pytest.approx(0.5)


def test_the_median_decides_and_not_the_mean() -> None:
    outlier = filled([1.0] * 19 + [100.0], min_samples=6, max_samples=20)
    assert outlier.converged
    spread = [1.0 + 0.03 * sign for sign in (-1, 1)] * 10
    assert not filled(spread, min_samples=6, max_samples=20).converged


def test_the_criterion_is_checked_at_doubled_numbers_of_samples_only() -> None:
    collector = SampleCollector(StoppingCriterion(min_samples=6, max_samples=20))
    stops = []
    for number, value in enumerate([1.0, 2.0] * 3 + [1.5] * 14, start=1):
        collector.add(value)
        if collector.finished(0.0):
            stops.append(number)
            break
        assert collector.until_check == (6 if number < 6 else 12 if number < 12 else 20) - number
    assert stops == [20]


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (6, 20, (6, 12, 20)),
        (9, 60, (9, 18, 36, 60)),
        (10, 100, (10, 20, 40, 80, 100)),
        (1, 7, (6, 7)),
        (3, 3, (3,)),
        (6, 6, (6,)),
    ],
)
def test_the_last_check_is_at_the_maximum(least: int, most: int, expected: tuple[int]) -> None:
    criterion = StoppingCriterion(min_samples=least, max_samples=most)
    assert checks(criterion) == expected


def test_it_stops_at_a_check_that_it_passes() -> None:
    collector = filled([1.0, 2.0, *[1.0] * 10], min_samples=6, max_samples=20)
    assert collector.finished(0.0)
    assert len(collector.seconds) == 12


def test_the_time_limit_holds_from_the_first_sample_on() -> None:
    assert not filled([], time_limit_s=1.0).finished(5.0)
    late = filled([2.0], time_limit_s=1.0)
    assert late.finished(2.0)
    assert not late.samples().converged
    assert late.relative_half_width is None


def test_raw_samples_are_kept_in_order() -> None:
    samples = filled([3.0, 1.0, 2.0]).samples(cold=True)
    assert samples.seconds == (3.0, 1.0, 2.0)
    assert samples.cold
