# SPDX-License-Identifier: MIT
"""What the mapping says in words: tips below the pointer, and texts for screen readers."""

from __future__ import annotations

import numpy as np

from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.coordinates import coordinates
from threadloom.presentation.mapping.elements import element_name, value_text
from threadloom.presentation.mapping.hit_test import Target, TargetKind
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.out_of_bounds import strays
from threadloom.text import _, count, duration, ngettext


def tip(model: MappingModel, target: Target) -> str:
    """What lies below the pointer."""
    if target.kind is TargetKind.BLOCK:
        return block_tip(model, target.number)
    if target.kind is TargetKind.THREAD and target.thread is not None:
        return thread_tip(model, target.thread)
    if target.kind is TargetKind.ELEMENT:
        return element_tip(model, target.number)
    if target.kind is TargetKind.OUT_OF_BOUNDS:
        return out_of_bounds_tip(model, target.number)
    return _("Slice z = {z}").format(z=target.number)


def out_of_bounds_tip(model: MappingModel, index: int) -> str:
    """An index outside the array, and who used it."""
    name = f"{model.array}[{index}]"
    end = _("Out of bounds: {name} is past the end of {array} ({n} elements).")
    where = _("Out of bounds: {name} is before the start.") if index < 0 else end
    lines = [where.format(name=name, array=model.array, n=count(model.elements))]
    stray = next((one for one in strays(model) if one.index == index), None)
    if stray is not None:
        lines.append(
            _("Thread {thread} of block {block}, line {line}").format(
                thread=coordinates(stray.thread.thread, model.launch.block),
                block=coordinates(stray.thread.block, model.launch.grid),
                line=stray.line,
            )
        )
    return "\n".join(lines)


def block_tip(model: MappingModel, number: int) -> str:
    """A block, and when and where it ran."""
    at = model.launch.grid.at(number)
    name = _("Block {block}").format(block=coordinates(at, model.launch.grid))
    timeline = model.timeline
    if timeline is None or not timeline.start_s.size or model.phase is not Phase.RAN:
        return name
    place = int(model.timeline_index(np.array([number]))[0])
    return _("{block}: SM {sm}, wave {wave}, {start} to {end}").format(
        block=name,
        sm=int(timeline.sm[place]),
        wave=int(timeline.wave[place]) + 1,
        start=duration(float(timeline.start_s[place])),
        end=duration(float(timeline.end_s[place])),
    )


def thread_tip(model: MappingModel, thread: ThreadId) -> str:
    """A thread, its warp and lane, and what it writes."""
    warp, lane = thread.warp_and_lane(model.launch)
    name = _("Thread {thread}, warp {warp}, lane {lane}").format(
        thread=coordinates(thread.thread, model.launch.block), warp=warp, lane=lane
    )
    element = model.element_of_thread(thread)
    if element is None:
        return name
    written = _("writes {element}").format(element=element_name(model, element))
    return f"{name}\n{written}"


def element_tip(model: MappingModel, element: int) -> str:
    """An element, its value, and who wrote it; or why nobody did."""
    name = element_name(model, element)
    coverage = model.coverage
    if coverage is None:
        return name
    if coverage.writes[element] == 0:
        return _never(model, element, name)
    values = model.flat_values
    value = value_text(values[element]) if values is not None else ""
    lines = [f"{name} = {value}" if value else name]
    owner = model.thread_of_element(element)
    if owner is not None:
        lines.append(
            _("Last written by thread {thread} of block {block}").format(
                thread=coordinates(owner.thread, model.launch.block),
                block=coordinates(owner.block, model.launch.grid),
            )
        )
    lines.append(times_written(int(coverage.writes[element])))
    if coverage.multi_writer_mask[element]:
        lines.append(_("Data race: multiple threads wrote it without synchronization."))
    return "\n".join(lines)


def times_written(times: int) -> str:
    """How many times an element was written."""
    if times == 1:
        return _("written once")
    return ngettext("written {n} time", "written {n} times", times).format(n=count(times))


def _never(model: MappingModel, element: int, name: str) -> str:
    said = _("{element} was not written.").format(element=name)
    launch = model.launch
    if launch.grid.rank > 1 or launch.block.rank > 1 or len(model.shape) > 1:
        return said
    wanted = element // max(1, launch.threads_per_block)
    if wanted < launch.grid.x:
        return said
    blocks = ngettext(
        "Block {wanted} would be next, but the grid has {n} block.",
        "Block {wanted} would be next, but the grid has {n} blocks.",
        launch.grid.x,
    ).format(wanted=count(launch.grid.x), n=count(launch.grid.x))
    return f"{said} {blocks}"


def selected_thread_text(model: MappingModel, thread: ThreadId, element: int | None) -> str:
    """The selected thread, for a screen reader: "Block 2, thread 37, element 549, written once"."""
    parts = [
        _("Block {block}").format(block=coordinates(thread.block, model.launch.grid)),
        _("thread {thread}").format(thread=coordinates(thread.thread, model.launch.block)),
    ]
    if element is None:
        return ", ".join([*parts, _("writes nothing")])
    parts.append(_("element {n}").format(n=element))
    if model.coverage is not None:
        parts.append(times_written(int(model.coverage.writes[element])))
    if model.flat_values is not None:
        parts.append(value_text(model.flat_values[element]))
    return ", ".join(parts)
