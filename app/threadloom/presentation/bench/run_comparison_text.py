# SPDX-License-Identifier: MIT
"""Two runs compared, in one sentence."""

from __future__ import annotations

from typing import Protocol

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timing.samples import SeriesKey, Timing
from threadloom.model.timing.speedup import Speedup, SpeedupOutcome
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.bench.run_comparison import Compared, compare_runs, same_work
from threadloom.text import _, duration, factor


class NumberedRun(Protocol):
    """A run of the session."""

    @property
    def number(self) -> int:
        """Its number in the session, from 1."""

    @property
    def run(self) -> Run:
        """What came of it."""


def timing_of(result: Run, key: SeriesKey) -> Timing | None:
    """The time of a run with this key; of a kernel's cold and warm ones the warm one, the last."""
    return next((timing for timing in reversed(result.timings) if timing.key is key), None)


def comparison_words(first: NumberedRun, second: NumberedRun) -> str:
    """Whether the first run's kernel is faster, slower, a tie, or inconclusive.

    Times of different origin are not compared, and neither are those of other problems.
    """
    for record in (first, second):
        if timing_of(record.run, SeriesKey.KERNEL) is None:
            return _("Run {n} has no kernel time.").format(n=record.number)
    compared = compare_runs(first.run, second.run)
    kernel = next((one for one in compared if one.one.key is SeriesKey.KERNEL), None)
    if kernel is None:
        return _("One kernel time is cold, the other warm.")
    numbers = {"a": first.number, "b": second.number, "times": _times(kernel)}
    if kernel.one.provenance is not kernel.other.provenance:
        return _unlike(first, second, kernel)
    if not same_work(first.run, second.run):
        return _other_work(first, second).format(**numbers)
    if kernel.speedup is None:
        return kernel.words
    sentence = _verdict(kernel.speedup).format(**numbers)
    if kernel.one.provenance is Provenance.MODELED:
        return _("{sentence} Both are modeled.").format(sentence=sentence)
    return sentence


def _verdict(found: Speedup) -> str:
    """A sentence with places for the runs' numbers and times."""
    ratio = factor(found.time_ratio if found.time_ratio >= 1 else 1 / found.time_ratio, 3)
    if found.outcome is SpeedupOutcome.FASTER:
        text = _("The kernel of run {a} is {factor} faster than of run {b} ({times}).")
        return text.replace("{factor}", ratio)
    if found.outcome is SpeedupOutcome.SLOWER:
        text = _("The kernel of run {a} is {factor} slower than of run {b} ({times}).")
        return text.replace("{factor}", ratio)
    if found.outcome is SpeedupOutcome.TIE:
        return _("Runs {a} and {b}: a tie, the kernel takes the same within ±2 % ({times}).")
    if found.low is None or found.high is None:
        return _("Runs {a} and {b}: inconclusive, fewer than 6 samples each ({times}).")
    text = _("Runs {a} and {b}: inconclusive, {low} to {high} as long ({times}).")
    return text.replace("{low}", factor(found.low)).replace("{high}", factor(found.high))


def _other_work(first: NumberedRun, second: NumberedRun) -> str:
    one, other = first.run.job, second.run.job
    if one.operation != other.operation:
        return _("Runs {a} and {b} have different operations: kernel times {times}.")
    if one.dtype != other.dtype:
        return _("Runs {a} and {b} have different types: kernel times {times}.")
    return _("Runs {a} and {b} have different sizes: kernel times {times}.")


def _times(kernel: Compared) -> str:
    first, second = (duration(t.samples.median_s) for t in (kernel.one, kernel.other))
    return _("{first} and {second}").format(first=first, second=second)


def _unlike(first: NumberedRun, second: NumberedRun, kernel: Compared) -> str:
    text = _("Run {a} is {one}, run {b} {other}: their times cannot be compared.")
    return text.format(
        a=first.number,
        b=second.number,
        one=provenance_words(kernel.one.provenance),
        other=provenance_words(kernel.other.provenance),
    )
