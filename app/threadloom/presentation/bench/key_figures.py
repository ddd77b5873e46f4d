# SPDX-License-Identifier: MIT
"""A sweep's four key figures, each one sentence long."""

from __future__ import annotations

from threadloom.model.device import DeviceModel
from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples, Series, SeriesKey
from threadloom.presentation.bench.break_even_text import (
    interval_text,
    numpy_first,
    short_baseline,
)
from threadloom.presentation.bench.problem_size import at_size
from threadloom.presentation.bench.speedup_text import Outcome, verdict
from threadloom.presentation.figures.key_figure import KeyFigure
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.messages.sweep import BreakEven, SweepResult
from threadloom.text import _, bandwidth, count, significant

COMPUTE_BOUND = 8.0
"""Operations per byte from which a rate of operations says more than one of bytes."""


def key_figures(
    result: SweepResult, operation: Operation, device: DeviceModel, size: int
) -> list[KeyFigure]:
    """Break-even, both comparisons at a size, and the best rate of the kernel."""
    figures = [_break_even(result)]
    figures += [
        figure
        for key, title in (
            (SeriesKey.TOTAL, _("At n = {size}, with transfers")),
            (SeriesKey.KERNEL, _("At n = {size}, kernel only")),
        )
        if (figure := _against_numpy(result, key, title, size)) is not None
    ]
    best = _best_rate(result, operation, device)
    return [*figures, best] if best is not None else figures


def _break_even(result: SweepResult) -> KeyFigure:
    title, total = _("Break-even with transfers"), _one(result, SeriesKey.TOTAL)
    for found in numpy_first(result):
        baseline = _("compared with {baseline}").format(
            baseline=short_baseline(str(found.baseline))
        )
        if found.size is None:
            return KeyFigure(title, _("none"), _with_origin(_("in this range"), total))
        size = _("n = {size}").format(size=count(found.size))
        return KeyFigure(title, size, _with_origin(_interval(found, baseline), total))
    return KeyFigure(title, "–", _("no baseline"))


def _interval(found: BreakEven, baseline: str) -> str:
    """The interval in short, before the baseline."""
    interval = interval_text(found)
    if not interval:
        return baseline
    return _("{interval}, {baseline}").format(interval=interval, baseline=baseline)


def _against_numpy(result: SweepResult, key: SeriesKey, title: str, size: int) -> KeyFigure | None:
    mine, numpy = _samples(result, key, size), _samples(result, SeriesKey.NUMPY, size)
    if mine is None or numpy is None:
        return None
    found = verdict(mine, numpy)
    tie = found.outcome is Outcome.TIE
    beside = _with_origin(_("to NumPy") if tie else _("than NumPy"), _one(result, key))
    tone = found.outcome.tone
    return KeyFigure(title.format(size=count(size)), found.short(), beside, tone)


def _samples(result: SweepResult, key: SeriesKey, size: int) -> Samples | None:
    series = _one(result, key)
    points = series.points if series is not None else ()
    return next((point.samples for point in points if point.size == size), None)


def _one(result: SweepResult, key: SeriesKey) -> Series | None:
    return next((series for series in result.series if series.key is key), None)


def _best_rate(result: SweepResult, operation: Operation, device: DeviceModel) -> KeyFigure | None:
    series = _one(result, SeriesKey.KERNEL)
    if series is None or series.provenance is Provenance.EMULATED:
        return None
    item = 8 if result.job.dtype == "float64" else 4
    rates: list[tuple[float, float, int]] = []
    for point in series.points:
        if point.samples is not None and point.samples.median_s > 0:
            sizes = at_size(operation, result.job.sizes, point.size)
            seconds = point.samples.median_s
            moved = operation.bytes_moved(sizes, item) / seconds
            rates.append((operation.flops(sizes) / seconds, moved, point.size))
    if not rates:
        return None
    flops, moved, size = max(rates)
    at = _with_origin(_("at n = {size}").format(size=count(size)), series)
    title = _("Best rate, kernel only")
    if flops > COMPUTE_BOUND * moved:
        return KeyFigure(title, _rate(flops), at)
    flops, moved, size = max(rates, key=lambda rate: rate[1])
    at = _with_origin(_("at n = {size}").format(size=count(size)), series)
    return KeyFigure(title, bandwidth(moved), at, note=_above_peak(moved, device))


def _with_origin(text: str, series: Series | None) -> str:
    """The text, with where the figure comes from unless it was measured."""
    if series is None or series.provenance is Provenance.MEASURED:
        return text
    words = provenance_words(series.provenance)
    return _("{text}, {provenance}").format(text=text, provenance=words)


def _above_peak(moved: float, device: DeviceModel) -> str:
    if moved <= device.memory_gb_per_s * 1e9:
        return ""
    text = _("{rate} exceeds the peak memory bandwidth ({peak}): the data was cached")
    return text.format(rate=bandwidth(moved), peak=bandwidth(device.memory_gb_per_s * 1e9))


def _rate(flops: float) -> str:
    for unit, scale in ((_("TFLOP/s"), 1e12), (_("GFLOP/s"), 1e9)):
        if flops >= scale:
            return f"{significant(flops / scale, 2)} {unit}"
    return f"{significant(flops / 1e6, 2)} " + _("MFLOP/s")
