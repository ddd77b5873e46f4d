# SPDX-License-Identifier: MIT
from __future__ import annotations

from threadloom.model.timing.samples import Samples
from threadloom.services.bench.time_text import time_words
from threadloom.services.export.plain import samples_from_plain, samples_to_plain


def test_a_time_below_the_clocks_step_is_told_as_less_than_that() -> None:
    assert time_words(Samples((0.0, 0.0, 1e-6), step_s=0.5e-6)) == "< 500 ns"
    assert time_words(Samples((5.4e-6,), step_s=0.5e-6)) == "5.4 µs"
    assert time_words(Samples((5.4e-6,))) == "5.4 µs"


def test_the_step_is_kept_in_records() -> None:
    samples = Samples((0.0, 1e-6), step_s=0.5e-6)
    assert samples_from_plain(samples_to_plain(samples)) == samples
    assert "step_s" not in samples_to_plain(Samples((1.0,)))
