# SPDX-License-Identifier: MIT
"""Two runs held against each other, time by time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import BASELINES, SeriesKey, Timing
from threadloom.model.timing.speedup import TIE, Pace, PaceComparison, compare_pace
from threadloom.services.messages.run import RunResult
from threadloom.text import _, factor, percent

_KEYS = (SeriesKey.KERNEL, SeriesKey.TOTAL, SeriesKey.COPY_IN, SeriesKey.COPY_OUT, *BASELINES)


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that was timed in both runs."""

    title: str
    one: Timing
    other: Timing
    pace: PaceComparison | None
    """How the first stands to the second; None where that means nothing."""
    why_not: str = ""
    """Why it means nothing."""

    @property
    def words(self) -> str:
        """Faster, same, slower or can't tell, with the numbers; or why it means nothing."""
        return self.why_not if self.pace is None else pace_words(self.pace)


def compare_runs(one: RunResult, other: RunResult) -> tuple[Compared, ...]:
    """Everything that both runs timed; cold is held against cold, warm against warm."""
    return tuple(_compared(one, other))


def same_work(one: RunResult, other: RunResult) -> bool:
    """Whether both runs computed the same: only then a time can be faster than another."""
    first, second = one.job, other.job
    return (first.operation, first.dtype, dict(first.sizes)) == (
        second.operation,
        second.dtype,
        dict(second.sizes),
    )


def pace_words(found: PaceComparison) -> str:
    """Such as "2× faster (1.9× to 2.1×)", "same, within 2 %", "can’t tell, too few runs"."""
    if found.pace is Pace.UNKNOWN and (found.low is None or found.high is None):
        return _("can’t tell: under 6 runs")
    if found.pace is Pace.SAME:
        return _("same, within {share}").format(share=percent(TIE))
    if found.low is None or found.high is None:
        return _plain_words(found)
    if found.pace is Pace.UNKNOWN:
        text = _("can’t tell: {low} to {high} as long")
        return text.format(low=factor(found.low), high=factor(found.high))
    faster = found.pace is Pace.FASTER
    ends = (1 / found.high, 1 / found.low) if faster else (found.low, found.high)
    text = _("{words} ({low} to {high})")
    return text.format(words=_plain_words(found), low=factor(ends[0]), high=factor(ends[1]))


def _plain_words(found: PaceComparison) -> str:
    if found.pace is Pace.FASTER:
        return _("{factor} faster").format(factor=factor(1 / found.ratio))
    return _("{factor} slower").format(factor=factor(found.ratio))


def _compared(one: RunResult, other: RunResult) -> Iterator[Compared]:
    alike = same_work(one, other)
    for first in sorted(one.timings, key=_place):
        second = next((t for t in other.timings if _same_kind(first, t)), None)
        if second is None:
            continue
        if first.provenance is not second.provenance:
            why = _("one is measured, the other modeled")
            yield Compared(first.label, first, second, None, why)
        elif not alike:
            yield Compared(first.label, first, second, None, _("not the same work"))
        else:
            yield Compared(first.label, first, second, _pace(first, second))


def _pace(first: Timing, second: Timing) -> PaceComparison:
    """By the samples; a modeled time is one exact figure, and its difference is the model's."""
    if first.provenance is Provenance.MEASURED:
        return compare_pace(first.samples, second.samples)
    ratio = first.samples.median_s / second.samples.median_s
    pace = Pace.SAME if abs(ratio - 1) <= TIE else Pace.FASTER if ratio < 1 else Pace.SLOWER
    return PaceComparison(pace, ratio, None, None)


def _same_kind(first: Timing, second: Timing) -> bool:
    if first.key is not second.key or first.samples.cold != second.samples.cold:
        return False
    return first.key is not SeriesKey.FRAMEWORK or first.label == second.label


def _place(timing: Timing) -> tuple[int, bool]:
    return _KEYS.index(timing.key), timing.samples.cold
