# SPDX-License-Identifier: MIT
"""From which size a GPU is faster than a CPU baseline, transfers included, in words."""

from __future__ import annotations

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey
from threadloom.services.messages.sweep import BreakEven, SweepResult
from threadloom.text import _, count


def break_even_sentences(result: SweepResult) -> list[str]:
    """One sentence for each baseline, NumPy first; said of a model if the times are modeled."""
    said = [_sentence(found) for found in numpy_first(result)]
    totals = [series for series in result.series if series.key is SeriesKey.TOTAL]
    if all(series.provenance is Provenance.MEASURED for series in totals):
        return said
    return [_("Modeled: {sentence}").format(sentence=sentence) for sentence in said]


def numpy_first(result: SweepResult) -> list[BreakEven]:
    """The break-even sizes of a sweep, NumPy's before those of other baselines."""
    return sorted(
        result.break_even, key=lambda found: "numpy" not in found.baseline.english().lower()
    )


def short_baseline(baseline: str) -> str:
    """A baseline without its version and threads, which stand beside its times."""
    return baseline.split(",")[0].split(" ")[0] if "numpy" in baseline.lower() else baseline


def interval_text(found: BreakEven) -> str:
    """Between which sizes the break-even lies, such as ``400 to ∞``; empty for a single one."""
    if found.low is None or found.low == found.high:
        return ""
    high = "∞" if found.high is None else count(round(found.high))
    return _("{low} to {high}").format(low=count(round(found.low)), high=high)


def _sentence(found: BreakEven) -> str:
    baseline = short_baseline(str(found.baseline))
    if found.size is None:
        text = _("Including transfers, the GPU is not faster than {baseline} in this range.")
        return text.format(baseline=baseline)
    text = _("Including transfers, the GPU is faster than {baseline} for n ≥ {size}.")
    interval = interval_text(found)
    if interval:
        text = _(
            "Including transfers, the GPU is faster than {baseline} for n ≥ {size} "
            "(95 % CI {interval})."
        )
    return text.format(baseline=baseline, size=count(round(found.size)), interval=interval)
