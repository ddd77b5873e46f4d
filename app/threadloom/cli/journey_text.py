# SPDX-License-Identifier: MIT
"""The way of a problem through a GPU on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from threadloom.model.journey import Journey, PinnedJourney
from threadloom.model.samples import Samples
from threadloom.text import _, decimal_bytes, duration, factor


def journey_table(journey: Journey) -> Table:
    """One row a step, in the order in which they happen."""
    table = Table(box=None, pad_edge=False)
    table.add_column(_("Step"))
    table.add_column(_("median"), justify="right")
    table.add_column("")
    for row in _rows(journey):
        table.add_row(*row)
    return table


def _rows(journey: Journey) -> Iterator[tuple[str, str, str]]:
    compiled = _("from the cache") if journey.from_cache else _("once")
    yield _("Compile"), duration(journey.compile_s), compiled
    yield _("First launch"), duration(journey.first_launch_s), _("once, loads the code")
    yield _("Reserve and free device memory"), _median(journey.allocate), ""
    yield (
        _("Copy to the device, ordinary memory"),
        _median(journey.copy_in_pageable),
        decimal_bytes(journey.bytes_in),
    )
    yield _("Kernel"), _median(journey.kernel), ""
    yield (
        _("Copy back, ordinary memory"),
        _median(journey.copy_out_pageable),
        decimal_bytes(journey.bytes_out),
    )
    if journey.pinned is not None:
        yield from _pinned(journey.pinned)


def _pinned(pinned: PinnedJourney) -> Iterator[tuple[str, str, str]]:
    yield _("Page-lock host memory"), duration(pinned.pin_s), _("once")
    yield _("Copy to the device, page-locked"), _median(pinned.copy_in), ""
    yield _("Copy back, page-locked"), _median(pinned.copy_out), ""
    yield _("One problem after the other"), _median(pinned.in_turn), _("a problem")
    gained = factor(pinned.in_turn.median_s / pinned.overlapped.median_s)
    text = _("a problem, on {streams} streams; {factor} as fast")
    words = text.format(streams=pinned.streams, factor=gained)
    yield _("Copies and kernels side by side"), _median(pinned.overlapped), words


def _median(samples: Samples) -> str:
    return duration(samples.median_s)
