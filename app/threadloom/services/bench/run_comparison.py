# SPDX-License-Identifier: MIT
"""Two runs compared, time by time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timing.samples import BASELINES, SeriesKey, Timing
from threadloom.model.timing.speedup import EQUIVALENCE_MARGIN, Speedup, SpeedupOutcome, speedup
from threadloom.text import _, factor, percent

_KEYS = (SeriesKey.KERNEL, SeriesKey.TOTAL, SeriesKey.H2D, SeriesKey.D2H, *BASELINES)


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that was timed in both runs."""

    title: str
    one: Timing
    other: Timing
    speedup: Speedup | None
    """Of the first against the second; None where that means nothing."""
    why_not: str = ""
    """Why it means nothing."""

    @property
    def words(self) -> str:
        """Faster, tie, slower or inconclusive, with the numbers; or why it means nothing."""
        return self.why_not if self.speedup is None else speedup_words(self.speedup)


def compare_runs(one: Run, other: Run) -> tuple[Compared, ...]:
    """Everything that both runs timed; cold is compared with cold, warm with warm."""
    return tuple(_compared(one, other))


def same_work(one: Run, other: Run) -> bool:
    """Whether both runs computed the same: only then a time can be faster than another."""
    first, second = one.job, other.job
    return (first.operation, first.dtype, dict(first.sizes)) == (
        second.operation,
        second.dtype,
        dict(second.sizes),
    )


def speedup_words(found: Speedup) -> str:
    """Such as "2× faster (1.9× to 2.1×)", "tie, within ±2 %", "inconclusive: under 6 samples"."""
    if found.outcome is SpeedupOutcome.INCONCLUSIVE and (found.low is None or found.high is None):
        return _("inconclusive: under 6 samples")
    if found.outcome is SpeedupOutcome.TIE:
        return _("tie, within ±{share}").format(share=percent(EQUIVALENCE_MARGIN))
    if found.low is None or found.high is None:
        return _plain_words(found)
    if found.outcome is SpeedupOutcome.INCONCLUSIVE:
        text = _("inconclusive: {low} to {high} as long")
        return text.format(low=factor(found.low), high=factor(found.high))
    faster = found.outcome is SpeedupOutcome.FASTER
    ends = (1 / found.high, 1 / found.low) if faster else (found.low, found.high)
    text = _("{words} ({low} to {high})")
    return text.format(words=_plain_words(found), low=factor(ends[0]), high=factor(ends[1]))


def _plain_words(found: Speedup) -> str:
    if found.outcome is SpeedupOutcome.FASTER:
        return _("{factor} faster").format(factor=factor(1 / found.time_ratio))
    return _("{factor} slower").format(factor=factor(found.time_ratio))


def _compared(one: Run, other: Run) -> Iterator[Compared]:
    alike = same_work(one, other)
    for first in sorted(one.timings, key=_place):
        second = next((t for t in other.timings if _same_kind(first, t)), None)
        if second is None:
            continue
        if first.provenance is not second.provenance:
            why = _("measured and modeled times cannot be compared")
            yield Compared(str(first.label), first, second, None, why)
        elif not alike:
            yield Compared(str(first.label), first, second, None, _("different work"))
        else:
            yield Compared(str(first.label), first, second, _speedup(first, second))


def _speedup(first: Timing, second: Timing) -> Speedup:
    """By the samples; a modeled time is one exact figure, and its difference is the model's."""
    if first.provenance is Provenance.MEASURED:
        return speedup(first.samples, second.samples)
    ratio = first.samples.median_s / second.samples.median_s
    if abs(ratio - 1) <= EQUIVALENCE_MARGIN:
        return Speedup(SpeedupOutcome.TIE, ratio, None, None)
    outcome = SpeedupOutcome.FASTER if ratio < 1 else SpeedupOutcome.SLOWER
    return Speedup(outcome, ratio, None, None)


def _same_kind(first: Timing, second: Timing) -> bool:
    if first.key is not second.key or first.samples.cold != second.samples.cold:
        return False
    return first.key is not SeriesKey.FRAMEWORK or first.label == second.label


def _place(timing: Timing) -> tuple[int, bool]:
    return _KEYS.index(timing.key), timing.samples.cold
