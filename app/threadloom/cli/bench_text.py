# SPDX-License-Identifier: MIT
"""A sweep on a terminal."""

from __future__ import annotations

from rich.table import Table

from threadloom.cli.console import output
from threadloom.cli.run_text import PROVENANCE
from threadloom.model.provenance import Provenance
from threadloom.model.timing.gpu_state import GpuStates
from threadloom.model.timing.samples import Point, Series, SeriesKey
from threadloom.services.bench.time_text import sweep_convergence_words, time_words
from threadloom.services.messages.sweep import BreakEven, SweepResult
from threadloom.text import _, count, ngettext


def print_sweep(result: SweepResult) -> None:
    """Medians by size, one column a series, and where the GPU gets ahead."""
    console = output()
    title = f"{result.job.operation}/{result.job.variant}, {result.job.dtype}"
    console.print(f"{title}, {result.launch_text}")
    console.print(_table(result))
    for series in result.series:
        words = f"{series.label}: {PROVENANCE[series.provenance]}, {series.baseline}"
        console.print(f"  {words}, {series.device}")
        if convergence := convergence_sentence(series):
            console.print(f"    {convergence}")
        for sentence in gpu_state_sentences(series):
            console.print(f"    {sentence}")
    for sentence in break_even_sentences(result):
        console.print(sentence)
    if result.all_match is False:
        console.print(_("✗ Some outputs differ from NumPy."))
    if not result.complete:
        console.print(_("! Stopped before the last size."))


def _table(result: SweepResult) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(str(result.axis), justify="right")
    for series in result.series:
        table.add_column(str(series.label), justify="right")
    columns = [{point.size: point for point in series.points} for series in result.series]
    for size in sorted(set().union(*columns)):
        table.add_row(count(size), *(_cell(column.get(size)) for column in columns))
    reasons = [point.skipped for column in columns for point in column.values() if point.skipped]
    if reasons:
        table.caption = "\n".join(dict.fromkeys(map(str, reasons)))
    return table


def _cell(point: Point | None) -> str:
    """Median; a dash for what was left out, or not reached before a sweep was stopped."""
    if point is None or point.samples is None:
        return "–"
    return time_words(point.samples) + ("" if point.samples.converged else " ~")


def break_even_sentences(result: SweepResult) -> list[str]:
    """How the GPU stands to each baseline; said of a model if its times are modeled."""
    said = [_sentence(found) for found in result.break_even]
    totals = [series for series in result.series if series.key is SeriesKey.TOTAL]
    if all(series.provenance is Provenance.MEASURED for series in totals):
        return said
    return [_("Modeled: {sentence}").format(sentence=sentence) for sentence in said]


def _sentence(found: BreakEven) -> str:
    if found.size is None:
        return _("{baseline} stays faster, copies counted.").format(baseline=found.baseline)
    sizes = {"size": count(round(found.size)), "baseline": found.baseline}
    if found.low is None or found.low == found.high:
        text = _("From size {size} on the GPU beats {baseline}, copies counted.")
        return text.format(**sizes)
    if found.high is None:
        text = _(
            "From size {size} on the GPU beats {baseline}, copies counted; from {low} at the "
            "earliest, and it may be that it never does."
        )
        return text.format(low=count(round(found.low)), **sizes)
    text = _(
        "From size {size} on the GPU beats {baseline}, copies counted; the samples leave room "
        "for {low} to {high}."
    )
    return text.format(low=count(round(found.low)), high=count(round(found.high)), **sizes)


def convergence_sentence(series: Series) -> str:
    """At how many points the median converged; empty for a series without measured samples."""
    taken = [point.samples for point in series.points if point.samples is not None]
    if series.provenance is not Provenance.MEASURED or not taken:
        return ""
    text = sweep_convergence_words(taken)
    if all(one.converged for one in taken):
        return _("Medians {words}.").format(words=text)
    return _("Medians {words}; ~ marks the others.").format(words=text)


def gpu_state_sentences(series: Series) -> list[str]:
    """The GPU's state while a series was measured: clocks, temperature, throttling."""
    samples = [point.samples for point in series.points if point.samples is not None]
    readings = [r for one in samples if one.gpu_states for r in one.gpu_states.states]
    seen, dropped = GpuStates(tuple(readings)), sum(one.dropped for one in samples)
    sentences = []
    if seen.sm_clock_mhz is not None and seen.temperature_c is not None:
        low, high = seen.sm_clock_mhz
        coolest, hottest = seen.temperature_c
        text = _("SM clock {low} to {high} MHz, {coolest} to {hottest} °C.")
        sentences.append(
            text.format(low=count(low), high=count(high), coolest=coolest, hottest=hottest)
        )
    if seen.throttling:
        text = ngettext(
            "! The GPU throttled ({why}); {dropped} sample discarded.",
            "! The GPU throttled ({why}); {dropped} samples discarded.",
            dropped,
        )
        sentences.append(text.format(why=", ".join(seen.throttling), dropped=count(dropped)))
    return sentences
