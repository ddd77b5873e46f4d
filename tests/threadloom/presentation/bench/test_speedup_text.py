# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from threadloom.model.timing.samples import Samples
from threadloom.presentation.bench.speedup_text import Outcome, verdict


@pytest.mark.parametrize(
    ("first", "second", "outcome", "ratio"),
    [
        ((1.0, 1.1), (4.0, 4.4), Outcome.FASTER, 4.0),
        ((3.5,), (1.0,), Outcome.SLOWER, 3.5),
        ((1.0, 1.2), (1.1, 1.3), Outcome.TIE, 12 / 11),
        ((1.0, 1.0), (1.0,), Outcome.TIE, 1.0),
    ],
)
def test_holds_ranges_against_each_other(
    first: tuple[float, ...], second: tuple[float, ...], outcome: Outcome, ratio: float
) -> None:
    found = verdict(Samples(first), Samples(second))
    assert found.outcome is outcome
    assert found.ratio == pytest.approx(ratio, rel=0.05)


def test_sentences_say_what_is_compared() -> None:
    slower = verdict(Samples((3.5,)), Samples((1.0,)))
    assert slower.sentence("NumPy") == "3.5× slower than NumPy"
    tie = verdict(Samples((1.0, 2.0)), Samples((1.5,)))
    assert tie.sentence("NumPy") == "no difference to NumPy"
    assert tie.short() == "no difference"


def test_one_interruption_makes_no_tie() -> None:
    quiet = Samples((1.0,) * 19 + (50.0,))
    slow = Samples((10.0,) * 20)
    assert verdict(quiet, slow).outcome is Outcome.FASTER
