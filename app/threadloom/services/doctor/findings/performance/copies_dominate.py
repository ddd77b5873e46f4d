# SPDX-License-Identifier: MIT
"""Copies that take longer than what they are for."""

from collections.abc import Iterable, Mapping

from threadloom.model.finding import Finding
from threadloom.model.message import Quantity, _, duration, percent
from threadloom.model.timing.samples import SeriesKey, Timing
from threadloom.services.doctor.context import DiagnosticContext

SHARE = 0.5
"""Share of the time from which copies are reported."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the two copies against the kernel; all three must come from the same source."""
    known = {timing.key: timing for timing in context.run.timings}
    keys = (SeriesKey.H2D, SeriesKey.D2H, SeriesKey.KERNEL)
    if any(key not in known for key in keys):
        return
    h2d, d2h, kernel = (known[key] for key in keys)
    if len({h2d.provenance, d2h.provenance, kernel.provenance}) > 1:
        return
    total = _total_s(known)
    copies = total - kernel.samples.median_s
    if total <= 0 or copies < SHARE * total:
        return
    yield Finding(
        kind="copies-dominate",
        severity=context.advice,
        message=_("Copies dominate: {share} of the GPU time").format(share=_share(copies / total)),
        detail=_("{total} in total, {kernel} in the kernel ({source})").format(
            total=duration(total),
            kernel=duration(kernel.samples.median_s),
            source=_(kernel.provenance.value),
        ),
        numbers={
            "share": copies / total,
            "copies_s": copies,
            "kernel_s": kernel.samples.median_s,
            "provenance": kernel.provenance.value,
        },
    )


def _total_s(known: Mapping[SeriesKey, Timing]) -> float:
    """Median of the sums, as the bars show it; the sum of the medians where no sums are known."""
    total, kernel = known.get(SeriesKey.TOTAL), known[SeriesKey.KERNEL]
    if total is not None and total.provenance is kernel.provenance:
        return total.samples.median_s
    parts = (SeriesKey.H2D, SeriesKey.KERNEL, SeriesKey.D2H)
    return sum(known[key].samples.median_s for key in parts)


def _share(share: float) -> Quantity:
    """Two digits, or as many as it takes to leave the kernel its part."""
    return percent(min(share, 0.9999), 2 if share < 0.99 else 3 if share < 0.999 else 4)
