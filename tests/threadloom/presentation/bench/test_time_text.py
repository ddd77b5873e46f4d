# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest

from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import Samples
from threadloom.presentation.bench.time_text import (
    convergence_words,
    sweep_convergence_words,
    time_words,
)
from threadloom.services.export.converter import from_plain, to_plain


def test_a_time_below_the_timers_resolution_is_shown_as_less_than_that() -> None:
    assert time_words(Samples((0.0, 0.0, 1e-6), timer_resolution_s=0.5e-6)) == "< 500 ns"
    assert time_words(Samples((5.4e-6,), timer_resolution_s=0.5e-6)) == "5.4 µs"
    assert time_words(Samples((5.4e-6,))) == "5.4 µs"


def test_the_resolution_is_kept_in_records() -> None:
    samples = Samples((0.0, 1e-6), timer_resolution_s=0.5e-6)
    assert from_plain(to_plain(samples), Samples) == samples
    assert "timer_resolution_s" not in to_plain(Samples((1.0,)))


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (Samples((1.0,)), "one sample, no interval"),
        (Samples((1.0,) * 5), "did not converge (a 95 % interval needs 6 samples)"),
        (Samples((1.0,) * 5 + (1.01,)), "converged to ±1 %"),
        (Samples((1.0,) * 5 + (1.034,), converged=False), "did not converge (±3.4 %)"),
        (Samples((0.0,) * 6, converged=False), "did not converge"),
    ],
)
def test_the_half_width_that_holds_is_said(samples: Samples, expected: str) -> None:
    assert convergence_words(samples) == expected


def test_points_that_converged_are_counted() -> None:
    steady, noisy = Samples((1.0,) * 6), Samples((1.0, 1.1) * 3, converged=False)
    assert sweep_convergence_words([steady, noisy]) == "converged to ±2 % at 1 of 2 points"
    assert sweep_convergence_words([steady]) == "converged to ±2 % at 1 of 1 point"
    assert sweep_convergence_words([steady, replace(noisy, dropped=3)]) == (
        "converged to ±2 % at 1 of 2 points, 3 samples discarded (throttling)"
    )


def test_records_have_the_former_keys_too() -> None:
    states = GpuStates((GpuState(1980, 3201, 50, ("power cap",)),))
    samples = Samples(
        (1.0, 1.1) * 3, converged=False, dropped=2, gpu_states=states, timer_resolution_s=1e-9
    )
    plain = to_plain(samples)
    for key, former in (
        ("min_s", "low_s"),
        ("max_s", "high_s"),
        ("converged", "rule_met"),
        ("timer_resolution_s", "step_s"),
        ("discarded", "dropped"),
        ("gpu_states", "conditions"),
    ):
        assert plain[key] == plain[former]
    assert plain["relative_half_width"] == samples.relative_half_width
    former_alone = {k: plain[k] for k in ("samples_s", "rule_met", "cold", "step_s", "dropped")}
    former_alone["conditions"] = plain["conditions"]
    assert from_plain(former_alone, Samples) == samples
    assert from_plain(plain, Samples) == samples


@pytest.mark.parametrize(
    ("seconds", "converged"),
    [((1.0,), True), ((1.0, 1.0), False), ((1.0,) * 6, True), ((1.0, 1.1) * 10, False)],
)
def test_a_rule_that_was_met_by_the_mean_is_checked_by_the_median(
    seconds: tuple[float, ...], converged: bool
) -> None:
    plain = {"samples_s": list(seconds), "rule_met": True, "cold": False}
    assert from_plain(plain, Samples).converged is converged
