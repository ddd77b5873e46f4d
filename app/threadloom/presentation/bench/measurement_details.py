# SPDX-License-Identifier: MIT
"""How a run was measured: samples, convergence, floor, GPU state, and rates against the peaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timing.confidence_interval import median_interval
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.rates import Rates
from threadloom.model.timing.samples import BASELINES, Samples, Series, SeriesKey, Timing
from threadloom.presentation.bench.gpu_state import gpu_state
from threadloom.presentation.bench.time_text import convergence_words, sweep_convergence_words
from threadloom.presentation.fact import Fact, Facts
from threadloom.presentation.tone import Tone
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import _, bandwidth, count, duration, ngettext, percent


def run_details(result: Run) -> list[Facts]:
    """All that is known of how a run's times came about."""
    times = result.kernel_times
    found = _kernel(times) if times is not None else [_modeled(result)]
    found.append(_copies(result.timings))
    found.append(_baselines(result.timings))
    if times is not None:
        found.append(gpu_state([t.samples for t in result.timings]))
    return [facts for facts in found if facts.rows]


def sweep_details(series: Sequence[Series]) -> list[Facts]:
    """What is known of how a sweep's times came about, by series."""
    taken = {
        str(one.label): [p.samples for p in one.points if p.samples is not None]
        for one in series
        if one.provenance is Provenance.MEASURED
    }
    return _by_name(taken)


def launch_details(points: Sequence[LaunchPoint]) -> list[Facts]:
    """The same of a sweep over launches, by device."""
    taken: dict[str, list[Samples]] = {}
    for point in points:
        if point.samples is not None and point.provenance is Provenance.MEASURED:
            taken.setdefault(point.device, []).append(point.samples)
    return _by_name(taken)


def _by_name(taken: Mapping[str, Sequence[Samples]]) -> list[Facts]:
    rows = [
        Fact(name, sweep_convergence_words(found), _tone(found))
        for name, found in taken.items()
        if found
    ]
    everything = [samples for found in taken.values() for samples in found]
    shown = [Facts(_("Sweep"), tuple(rows)), gpu_state(everything)]
    return [facts for facts in shown if facts.rows]


def convergence(samples: Samples) -> tuple[str, Tone]:
    """How precisely the median is known, and the tone for it."""
    if len(samples.seconds) < 2:
        return convergence_words(samples), Tone.TERTIARY
    return convergence_words(samples), Tone.OK if samples.converged else Tone.WARNING


def interval_words(samples: Samples) -> str:
    """Where the true median lies with 95 % confidence, or the range of few samples."""
    found = median_interval(samples.seconds)
    low, high = found or (samples.min_s, samples.max_s)
    text = _("{low} to {high}") if found else _("{low} to {high}, all samples")
    return text.format(low=duration(low), high=duration(high))


def _kernel(times: KernelTimes) -> list[Facts]:
    found = [
        Facts(
            _("Kernel, warm caches"), _measured(times.warm, times.empty) + _rates(times.warm_rates)
        )
    ]
    if times.cold is not None:
        rates = _rates(times.cold_rates) if times.cold_rates is not None else ()
        title = _("Kernel, cold caches")
        found.append(Facts(title, _measured(times.cold, times.empty_cold) + rates))
    if times.in_stream is not None and times.launch_s is not None:
        rows = (
            Fact(_("Time per launch"), duration(times.in_stream.median_s)),
            Fact(_("Launch overhead"), duration(max(0.0, times.launch_s))),
        )
        found.append(Facts(_("Consecutive launches on a stream"), rows))
    return found


def _measured(samples: Samples, empty: Samples | None) -> tuple[Fact, ...]:
    reached, tone = convergence(samples)
    rows = [
        Fact(_("Median"), duration(samples.median_s)),
        Fact(_("95 % interval"), interval_words(samples)),
        Fact(_("Samples"), samples_words(samples), Tone.WARNING if samples.dropped else Tone.TEXT),
        Fact(_("Convergence"), reached, tone),
    ]
    if samples.method:
        rows.append(Fact(_("Each sample is"), str(samples.method)))
    if empty is not None:
        rows.append(_floor(samples, empty))
    return tuple(rows)


def _floor(samples: Samples, empty: Samples) -> Fact:
    """The empty kernel's time; a kernel that takes hardly more says little of its work."""
    near = samples.median_s < 1.5 * empty.median_s
    text = _("{time}, most of the kernel time") if near else _("{time}")
    value = text.format(time=duration(empty.median_s))
    return Fact(_("Empty kernel"), value, Tone.WARNING if near else Tone.TEXT)


def _rates(rates: Rates) -> tuple[Fact, ...]:
    memory = bandwidth(rates.gb_per_s * 1e9)
    compute = _("{rate} GFLOP/s").format(rate=count(rates.gflop_per_s))
    rows = [_rate(_("Memory rate"), memory, rates.memory_share)]
    if rates.gflop_per_s >= 1:
        rows.append(_rate(_("Arithmetic rate"), compute, rates.compute_share))
    if rates.fits_l2:
        rows.append(Fact(_("Data fits the L2 cache"), _("yes"), Tone.SECONDARY))
    return tuple(rows)


def _rate(name: str, rate: str, share: float | None) -> Fact:
    if share is None:
        return Fact(name, rate)
    if share > 1:
        text = _("{rate}, {share} of the peak: served from caches, or the byte count is too high")
        return Fact(name, text.format(rate=rate, share=percent(share, 3)), Tone.WARNING)
    text = _("{rate}, {share} of the peak")
    return Fact(name, text.format(rate=rate, share=percent(share, 2)))


def samples_words(samples: Samples) -> str:
    """Number of samples, and how many were discarded because the GPU throttled."""
    taken = count(len(samples.seconds))
    if not samples.dropped:
        return _("{n}, none discarded").format(n=taken) if samples.gpu_states else taken
    text = _("{n}, {dropped} discarded (throttling)")
    return text.format(n=taken, dropped=count(samples.dropped))


def _modeled(result: Run) -> Facts:
    """What stands in the place of a measurement where there was no GPU."""
    kernel = next((t for t in result.timings if t.key is SeriesKey.KERNEL), None)
    if kernel is None:
        return Facts(_("Kernel"), ())
    rows = (
        Fact(_("Modeled for"), kernel.device),
        Fact(_("Samples, clocks, temperature"), _("none (not run on a GPU)"), Tone.TERTIARY),
    )
    return Facts(_("Kernel and transfers"), rows)


def _copies(timings: Sequence[Timing]) -> Facts:
    rows = []
    for timing in timings:
        copies = timing.key in {SeriesKey.H2D, SeriesKey.D2H}
        if copies and timing.provenance is Provenance.MEASURED:
            rows.append(_timing_row(timing))
    return Facts(_("Copies, pageable memory"), tuple(rows))


def _baselines(timings: Sequence[Timing]) -> Facts:
    rows = tuple(_timing_row(timing) for timing in timings if timing.key in BASELINES)
    return Facts(_("Baselines"), rows)


def _timing_row(timing: Timing) -> Fact:
    reached, tone = convergence(timing.samples)
    taken = len(timing.samples.seconds)
    text = ngettext("{time}, {n} sample, {reached}", "{time}, {n} samples, {reached}", taken)
    time = duration(timing.samples.median_s)
    return Fact(
        str(timing.label),
        text.format(time=time, n=count(taken), reached=reached),
        tone if tone == Tone.WARNING else Tone.TEXT,
    )


def _tone(taken: Sequence[Samples]) -> Tone:
    good = all(one.converged and not one.dropped for one in taken)
    return Tone.TEXT if good else Tone.WARNING
