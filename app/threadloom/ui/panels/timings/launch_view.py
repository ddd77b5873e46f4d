# SPDX-License-Identifier: MIT
"""What the Timings tab shows of a sweep over launches: figure, caption, key figures."""

from __future__ import annotations

from threadloom.model.device import DeviceModel
from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.timing.rates import rates
from threadloom.presentation.timings.problem_size import size_words
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint, LaunchSweepResult
from threadloom.text import _, bandwidth, count, duration, ngettext, percent
from threadloom.ui.app.sweeping import alike
from threadloom.ui.figures.key_figure import KeyFigure
from threadloom.ui.figures.launch_cell import Marks
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.launch_text import longer_words
from threadloom.ui.panels.timings.key_figures import COMPUTE_BOUND
from threadloom.ui.state.store import LaunchSweep, Over, Store
from threadloom.ui.widgets.chip import provenance_words


def shown_sweep(store: Store, operation: Operation | None) -> LaunchSweep | None:
    """The sweep of the chosen kind, while it is one of the chosen kernel."""
    sweep = store.launch_sweeps.get(store.over)
    if sweep is None or operation is None or sweep.result.job.operation != operation.name:
        return None
    other = sweep.result.job.variant != store.workspace.variant
    return None if sweep.over is Over.BLOCK and other else sweep


def launch_figure(store: Store, sweep: LaunchSweep, operation: Operation) -> LaunchSweepFigure:
    """The figure with the place of what is still to come, and with what the knobs stand at."""
    workspace = store.workspace
    block = workspace.block if sweep.over is Over.BLOCK else None
    return LaunchSweepFigure(
        sweep.result,
        titles={one.name: _(one.title) for one in operation.variants},
        wanted=_wanted(sweep),
        marks=Marks(chosen=LaunchChoice(workspace.variant, block)),
        faded=not alike(store, sweep.result.job, operation, sweep.over),
    )


def _wanted(sweep: LaunchSweep) -> tuple[LaunchPoint, ...]:
    """Launches without a time yet; of an interrupted sweep, too, so that nothing moves."""
    known = {point.choice for point in sweep.result.points}
    return tuple(
        LaunchPoint(choice, None, None, Provenance.MODELED, "")
        for choice in sweep.choices
        if choice not in known
    )


def caption(sweep: LaunchSweep, operation: Operation, *, faded: bool) -> str:
    """How far it is, of which problem."""
    done, total = len(sweep.result.points), len(sweep.choices)
    if sweep.running:
        text = _("{done} of {total} launches")
        return text.format(done=count(done), total=count(total))
    if faded:
        sizes = size_words(operation, operation.sizes(sweep.result.job.sizes))
        return _("of other choices: {sizes}, {dtype}, {device}").format(
            sizes=sizes, dtype=sweep.result.job.dtype, device=_device(sweep.result)
        )
    if not sweep.result.complete:
        text = _("{done} of {total} launches, stopped")
        return text.format(done=count(done), total=count(total))
    words = ngettext("{n} launch", "{n} launches", done).format(n=count(done))
    if runs := _most_runs(sweep.result):
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
    figure: LaunchSweepFigure, operation: Operation, device: DeviceModel
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
        found.append(KeyFigure(_("Ties with it"), value or _("none")))
    if slowest is not best:
        beside = longer_words(_median_s(slowest) / _median_s(best))
        found.append(KeyFigure(_("Longest"), figure.name_of(slowest), beside))
    rate = _rate(figure.result, best, operation, device)
    return [*found, rate] if rate is not None else found


def _fastest(figure: LaunchSweepFigure, best: LaunchPoint) -> KeyFigure:
    measured = best.provenance is Provenance.MEASURED
    title = _("Fastest") if measured else _("Shortest by the model")
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
    note = _("This is above what the device can do: the data was in the cache.")
    above = share is not None and share > 1
    return KeyFigure(_("Rate reached"), value, beside, note=note if above else "")


def _median_s(point: LaunchPoint) -> float:
    return 0.0 if point.samples is None else point.samples.median_s
