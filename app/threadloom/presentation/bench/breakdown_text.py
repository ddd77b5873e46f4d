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
        Part.ONCE: _("Once for a kernel"),
        Part.ORDINARY: _("Each problem, ordinary memory"),
        Part.PINNED: _("Each problem, page-locked memory"),
        Part.STREAMS: _("Many problems, for each"),
    }[part]


def to_cuda_text(result: Run) -> str:
    """What ``tensor.to("cuda")`` costs for the inputs of this run; empty if that is not known."""
    breakdown = result.breakdown
    if breakdown is None:
        return ""
    copy, reserve = breakdown.copy_in_pageable.median_s, breakdown.allocate.median_s
    text = _(
        '.to("cuda") of these inputs costs about {whole}: {copy} to copy {bytes} from ordinary '
        "memory, and up to {reserve} to reserve room for it."
    )
    words = text.format(
        whole=duration(copy + reserve),
        copy=duration(copy),
        bytes=decimal_bytes(breakdown.bytes_in),
        reserve=duration(reserve),
    )
    if breakdown.pinned is None:
        return words
    pinned = _("From page-locked memory the copy takes {time}.").format(
        time=duration(breakdown.pinned.copy_in.median_s)
    )
    return _("{first} {second}").format(first=words, second=pinned)


def _measured(breakdown: Breakdown) -> Iterator[Step]:
    compiled = _("from the cache") if breakdown.from_cache else _("once")
    yield _once(_("Compile"), breakdown.compile_s, compiled)
    yield _once(_("First launch"), breakdown.first_launch_s, _("once, loads the code"))
    yield _timed(Part.ORDINARY, _("Reserve and free device memory"), breakdown.allocate)
    bytes_in, bytes_out = decimal_bytes(breakdown.bytes_in), decimal_bytes(breakdown.bytes_out)
    yield _timed(
        Part.ORDINARY,
        _("Copy to the device"),
        breakdown.copy_in_pageable,
        bytes_in,
        SeriesKey.COPY_IN,
    )
    yield _timed(Part.ORDINARY, _("Kernel"), breakdown.kernel, "", SeriesKey.KERNEL)
    yield _timed(
        Part.ORDINARY,
        _("Copy back"),
        breakdown.copy_out_pageable,
        bytes_out,
        SeriesKey.COPY_OUT,
    )
    if breakdown.pinned is not None:
        yield from _pinned(breakdown.pinned)


def _pinned(pinned: PinnedBreakdown) -> Iterator[Step]:
    once = Samples((pinned.pin_s,))
    yield _timed(Part.PINNED, _("Page-lock host memory"), once, _("once"))
    copied = _("Copy to the device")
    yield _timed(Part.PINNED, copied, pinned.copy_in, "", SeriesKey.COPY_IN)
    back = _("Copy back")
    yield _timed(Part.PINNED, back, pinned.copy_out, "", SeriesKey.COPY_OUT)
    yield _timed(Part.STREAMS, _("One problem after the other"), pinned.in_turn, _("a problem"))
    gained = factor(pinned.in_turn.median_s / pinned.overlapped.median_s)
    text = _("a problem, on {streams} streams; {factor} as fast")
    words = text.format(streams=pinned.streams, factor=gained)
    yield _timed(Part.STREAMS, _("Copies and kernels side by side"), pinned.overlapped, words)


def _known(result: Run) -> Iterator[Step]:
    on_gpu = result.engine is Engine.GPU
    missing = _("not timed yet") if on_gpu else _("needs a GPU")
    compilation = result.compilation
    if compilation is not None and compilation.compile_s:
        compiled = _("from the cache") if compilation.from_cache else _("once")
        note = compiled if on_gpu else _("for the emulator, {when}").format(when=compiled)
        yield _once(_("Compile"), compilation.compile_s, note)
    if not on_gpu and result.trace is not None and result.trace.elapsed_s:
        seen = Samples((result.trace.elapsed_s,))
        note = _("every access observed, on this CPU")
        yield Step(Part.ONCE, _("Launch in the emulator"), seen, Provenance.EMULATED, note)
    yield Step(Part.ONCE, _("First launch"), None, note=missing)
    yield Step(Part.ORDINARY, _("Reserve and free device memory"), None, note=missing)
    titles = {
        SeriesKey.COPY_IN: _("Copy to the device"),
        SeriesKey.KERNEL: _("Kernel"),
        SeriesKey.COPY_OUT: _("Copy back"),
    }
    times = {timing.key: timing for timing in result.timings}
    for key, title in titles.items():
        timing = times.get(key)
        if timing is None:
            yield Step(Part.ORDINARY, title, None, note=missing, series=key)
        else:
            yield Step(Part.ORDINARY, title, timing.samples, timing.provenance, "", key)
    yield Step(Part.PINNED, _("Copies through page-locked memory"), None, note=missing)
    yield Step(Part.STREAMS, _("Copies and kernels side by side"), None, note=missing)


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
