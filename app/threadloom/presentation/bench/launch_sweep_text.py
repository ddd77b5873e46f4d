# SPDX-License-Identifier: MIT
"""How far a sweep over launches is, and its key figures."""

from __future__ import annotations

from threadloom.model.device import DeviceModel
from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.timing.rates import rates
from threadloom.presentation.bench.key_figures import COMPUTE_BOUND
from threadloom.presentation.bench.problem_size import size_words
from threadloom.presentation.figures.key_figure import KeyFigure
from threadloom.presentation.figures.launch_sweep import LaunchSweepModel
from threadloom.presentation.figures.launch_text import longer_words
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint, LaunchSweepResult
from threadloom.text import _, bandwidth, count, duration, ngettext, percent


def caption(
    result: LaunchSweepResult, total: int, operation: Operation, *, running: bool, faded: bool
) -> str:
    """How far it is, of which problem."""
    done = len(result.points)
    if running:
        text = _("{done} of {total} launches")
        return text.format(done=count(done), total=count(total))
    if faded:
        sizes = size_words(operation, operation.sizes(result.job.sizes))
        return _("from other settings: {sizes}, {dtype}, {device}").format(
            sizes=sizes, dtype=result.job.dtype, device=_device(result)
        )
    if not result.complete:
        text = _("{done} of {total} launches, stopped")
        return text.format(done=count(done), total=count(total))
    words = ngettext("{n} launch", "{n} launches", done).format(n=count(done))
    if runs := _most_runs(result):
        text = ngettext("{words}, 1 run each", "{words}, median of up to {n} runs", runs)
        return text.format(words=words, n=count(runs))
    return words


def _device(result: LaunchSweepResult) -> str:
    return next((p.device for p in result.points if p.device), "")


def _most_runs(result: LaunchSweepResult) -> int:
    """Runs of the measured point that has the most; 0 where nothing is measured."""
    measured = (p for p in result.points if p.provenance is Provenance.MEASURED)
    return max((len(p.samples.seconds) for p in measured if p.samples is not None), default=0)


def key_figures(
    figure: LaunchSweepModel, operation: Operation, device: DeviceModel
) -> list[KeyFigure]:
    """The fastest, what cannot be told from it, the slowest, and the rate of the fastest."""
    points = figure.points
    timed = [point for point in points if point.samples is not None]
    first = [p for p in timed if rank(p, points) in {Rank.FASTEST, Rank.LEAST}]
    if not first:
        return []
    best, slowest = min(first, key=_median_s), max(timed, key=_median_s)
    found = [_fastest(figure, best)]
    ties = [p for p in timed if rank(p, points) is Rank.TIE]
    if best.provenance is Provenance.MEASURED:
        names = ", ".join(figure.name_of(point) for point in ties[:3])
        value = names if len(ties) <= 3 else _("{names} …").format(names=names)
        found.append(KeyFigure(_("Ties"), value or _("none")))
    if slowest is not best:
        beside = longer_words(_median_s(slowest) / _median_s(best))
        found.append(KeyFigure(_("Slowest"), figure.name_of(slowest), beside))
    rate = _rate(figure.result, best, operation, device)
    return [*found, rate] if rate is not None else found


def _fastest(figure: LaunchSweepModel, best: LaunchPoint) -> KeyFigure:
    measured = best.provenance is Provenance.MEASURED
    title = _("Fastest") if measured else _("Shortest (modeled)")
    return KeyFigure(title, figure.name_of(best), duration(_median_s(best)))


def _rate(
    result: LaunchSweepResult, best: LaunchPoint, operation: Operation, device: DeviceModel
) -> KeyFigure | None:
    """What the fastest reaches of the device's memory or arithmetic, flagged above the peak."""
    job, seconds = result.job, _median_s(best)
    if seconds <= 0 or not best.device.startswith(device.name):
        return None
    sizes, item = operation.sizes(job.sizes), 8 if job.dtype == "float64" else 4
    moved, flops = operation.bytes_moved(sizes, item), operation.flops(sizes)
    found = rates(device, moved, flops, job.dtype, seconds)
    arithmetic = flops > COMPUTE_BOUND * moved
    share = found.compute_share if arithmetic else found.memory_share
    value = (
        _("{rate} GFLOP/s").format(rate=count(found.gflop_per_s))
        if arithmetic
        else bandwidth(found.gb_per_s * 1e9)
    )
    beside = "" if share is None else _("{share} of the peak").format(share=percent(share, 2))
    if best.provenance is not Provenance.MEASURED:
        words = provenance_words(best.provenance)
        beside = _("{text}, {provenance}").format(text=beside, provenance=words)
    note = _("Above the device's peak: the data was cached.")
    above = share is not None and share > 1
    return KeyFigure(_("Achieved rate"), value, beside, note=note if above else "")


def _median_s(point: LaunchPoint) -> float:
    return 0.0 if point.samples is None else point.samples.median_s
