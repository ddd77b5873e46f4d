# SPDX-License-Identifier: MIT
"""The end-to-end breakdown of a run, step by step, as far as it is known, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.timing.breakdown import Breakdown, PinnedBreakdown
from threadloom.model.timing.samples import Samples, SeriesKey
from threadloom.presentation.provenance_text import provenance_words
from threadloom.presentation.text_table import TextColumn, TextRow, TextTable
from threadloom.services.bench.breakdown import Part, Step
from threadloom.text import _, decimal_bytes, duration, factor


def breakdown_steps(result: Run) -> tuple[Step, ...]:
    """The steps of a run's way in the order in which they happen.

    Measured for a run on a GPU that asked for them. Else what the run itself tells: compiling,
    the emulator's own launch, and modeled times of kernel and copies.
    """
    if result.breakdown is not None:
        return tuple(_measured(result.breakdown))
    return tuple(_known(result))


def part_title(part: Part) -> str:
    """What the steps of a part have in common, for a user."""
    return {
        Part.ONCE: _("One-time costs"),
        Part.PAGEABLE: _("Per call, pageable memory"),
        Part.PINNED: _("Per call, pinned memory"),
        Part.STREAMS: _("Per call, pipelined with streams"),
    }[part]


def to_cuda_text(result: Run) -> str:
    """What ``tensor.to("cuda")`` costs for the inputs of this run; empty if that is not known."""
    breakdown = result.breakdown
    if breakdown is None:
        return ""
    copy, allocation = breakdown.h2d_pageable.median_s, breakdown.allocate.median_s
    text = _(
        '.to("cuda") of these inputs costs about {whole}: {copy} for the H2D copy of '
        "{bytes} from pageable memory, plus up to {allocation} for cudaMalloc."
    )
    words = text.format(
        whole=duration(copy + allocation),
        copy=duration(copy),
        bytes=decimal_bytes(breakdown.bytes_in),
        allocation=duration(allocation),
    )
    if breakdown.pinned is None:
        return words
    pinned = _("The H2D copy from pinned memory takes {time}.").format(
        time=duration(breakdown.pinned.h2d.median_s)
    )
    return _("{first} {second}").format(first=words, second=pinned)


def _measured(breakdown: Breakdown) -> Iterator[Step]:
    compiled = _("from the cache") if breakdown.from_cache else _("once")
    yield _once(_("Compile"), breakdown.compile_s, compiled)
    yield _once(_("First launch"), breakdown.first_launch_s, _("once, includes loading the module"))
    yield _timed(Part.PAGEABLE, _("cudaMalloc and cudaFree"), breakdown.allocate)
    bytes_in, bytes_out = decimal_bytes(breakdown.bytes_in), decimal_bytes(breakdown.bytes_out)
    yield _timed(
        Part.PAGEABLE,
        _("H2D copy"),
        breakdown.h2d_pageable,
        bytes_in,
        SeriesKey.H2D,
    )
    yield _timed(Part.PAGEABLE, _("Kernel"), breakdown.kernel, "", SeriesKey.KERNEL)
    yield _timed(
        Part.PAGEABLE,
        _("D2H copy"),
        breakdown.d2h_pageable,
        bytes_out,
        SeriesKey.D2H,
    )
    if breakdown.pinned is not None:
        yield from _pinned(breakdown.pinned)


def _pinned(pinned: PinnedBreakdown) -> Iterator[Step]:
    once = Samples((pinned.pin_s,))
    yield _timed(Part.PINNED, _("Pin host memory"), once, _("once"))
    copied = _("H2D copy")
    yield _timed(Part.PINNED, copied, pinned.h2d, "", SeriesKey.H2D)
    back = _("D2H copy")
    yield _timed(Part.PINNED, back, pinned.d2h, "", SeriesKey.D2H)
    yield _timed(Part.STREAMS, _("Serial, one stream"), pinned.in_turn, _("per call"))
    gained = factor(pinned.in_turn.median_s / pinned.overlapped.median_s)
    text = _("per call, {streams} streams; {factor} speedup")
    words = text.format(streams=pinned.streams, factor=gained)
    yield _timed(Part.STREAMS, _("Copies overlapped with kernels"), pinned.overlapped, words)


def _known(result: Run) -> Iterator[Step]:
    on_gpu = result.engine is Engine.GPU
    missing = _("not timed yet") if on_gpu else _("needs a GPU")
    compilation = result.compilation
    if compilation is not None and compilation.compile_s:
        compiled = _("from the cache") if compilation.from_cache else _("once")
        note = compiled if on_gpu else _("for the emulator; {when}").format(when=compiled)
        yield _once(_("Compile"), compilation.compile_s, note)
    if not on_gpu and result.trace is not None and result.trace.elapsed_s:
        seen = Samples((result.trace.elapsed_s,))
        note = _("all accesses observed, on this CPU")
        yield Step(Part.ONCE, _("Launch in the emulator"), seen, Provenance.EMULATED, note)
    yield Step(Part.ONCE, _("First launch"), None, note=missing)
    yield Step(Part.PAGEABLE, _("cudaMalloc and cudaFree"), None, note=missing)
    titles = {
        SeriesKey.H2D: _("H2D copy"),
        SeriesKey.KERNEL: _("Kernel"),
        SeriesKey.D2H: _("D2H copy"),
    }
    times = {timing.key: timing for timing in result.timings}
    for key, title in titles.items():
        timing = times.get(key)
        if timing is None:
            yield Step(Part.PAGEABLE, title, None, note=missing, series=key)
        else:
            yield Step(Part.PAGEABLE, title, timing.samples, timing.provenance, "", key)
    yield Step(Part.PINNED, _("Copies from pinned memory"), None, note=missing)
    yield Step(Part.STREAMS, _("Copies overlapped with kernels"), None, note=missing)


def _once(title: str, seconds: float, note: str) -> Step:
    return Step(Part.ONCE, title, Samples((seconds,)), Provenance.MEASURED, note)


def _timed(
    part: Part, title: str, samples: Samples, note: str = "", series: SeriesKey | None = None
) -> Step:
    return Step(part, title, samples, Provenance.MEASURED, note, series)


def breakdown_table(result: Run) -> TextTable:
    """One row a step, in the order in which they happen; a dash where a step is not known."""
    columns = (TextColumn(_("Step"), wraps=False), TextColumn(_("median"), numeric=True))
    rows: list[TextRow] = []
    for part, found in groupby(breakdown_steps(result), key=lambda step: step.part):
        rows.append(TextRow((part_title(part),), is_title=True))
        rows += [TextRow(_cells(step)) for step in found]
    return TextTable((*columns, TextColumn(), TextColumn()), tuple(rows))


def _cells(step: Step) -> tuple[str, ...]:
    time = "–" if step.samples is None else duration(step.samples.median_s)
    origin = "" if step.provenance is None else provenance_words(step.provenance)
    return (f"  {step.title}", time, step.note, origin)
