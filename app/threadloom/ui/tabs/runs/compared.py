# SPDX-License-Identifier: MIT
"""Two runs held against each other, in one sentence."""

from __future__ import annotations

from threadloom.model.provenance import Provenance
from threadloom.model.samples import SeriesKey, Timing
from threadloom.text import _, duration, factor
from threadloom.ui.figures.verdict import Outcome, verdict
from threadloom.ui.store import RunRecord
from threadloom.ui.tabs.runs.run_table import timing_of
from threadloom.ui.widgets.chip import provenance_words


def comparison_words(first: RunRecord, second: RunRecord) -> str:
    """Whether the first run's kernel is faster, slower, or the ranges do not tell.

    Times of different origin are not held against each other.
    """
    one = timing_of(first.result, SeriesKey.KERNEL)
    other = timing_of(second.result, SeriesKey.KERNEL)
    untimed = [record.number for record, timing in ((first, one), (second, other)) if not timing]
    if one is None or other is None:
        return _("Run {n} has no kernel time.").format(n=untimed[0])
    if one.provenance is not other.provenance:
        return _unlike(first, second, one, other)
    numbers = {"a": first.number, "b": second.number, "times": _times(one, other)}
    if first.result.job.sizes != second.result.job.sizes:
        text = _("Runs {a} and {b} differ in size: {times} for the kernel.")
        return text.format(**numbers)
    found = verdict(one.samples, other.samples)
    if found.outcome is Outcome.TIE:
        text = _("Runs {a} and {b}: can’t tell, their ranges meet ({times}).")
        return text.format(**numbers)
    text = {
        Outcome.FASTER: _("The kernel of run {a} is {factor} faster than of run {b} ({times})."),
        Outcome.SLOWER: _("The kernel of run {a} is {factor} slower than of run {b} ({times})."),
    }[found.outcome]
    sentence = text.format(factor=factor(found.ratio, 3), **numbers)
    if one.provenance is Provenance.MODELLED:
        return _("{sentence} Both are modelled.").format(sentence=sentence)
    return sentence


def _times(one: Timing, other: Timing) -> str:
    first, second = duration(one.samples.median_s), duration(other.samples.median_s)
    return _("{first} and {second}").format(first=first, second=second)


def _unlike(first: RunRecord, second: RunRecord, one: Timing, other: Timing) -> str:
    text = _("Run {a} is {one}, run {b} {other}: their times cannot be compared.")
    return text.format(
        a=first.number,
        b=second.number,
        one=provenance_words(one.provenance),
        other=provenance_words(other.provenance),
    )
