# SPDX-License-Identifier: MIT
"""What there is to say about one thread or block: plain texts out of a model."""

from __future__ import annotations

import numpy as np

from threadloom.model.launch import WARP_SIZE, ThreadId
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.fact import Fact
from threadloom.presentation.mapping.elements import element_name
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.tone import Tone
from threadloom.text import _, count, duration, percent


def thread_facts(model: MappingModel, thread: ThreadId, element: int | None) -> list[Fact]:
    """Who a thread is, what it owns, and when and where it ran."""
    warp, lane = thread.warp_and_lane(model.launch)
    facts = [
        Fact(_("Block"), str(thread.block)),
        Fact(_("Thread"), str(thread.thread)),
        Fact(_("Warp, lane"), _("warp {warp}, lane {lane}").format(warp=warp, lane=lane)),
    ]
    if len(model.shape) > 1 and element is not None:
        facts.append(Fact(_("Element"), element_name(model, element), Tone.FOCUS))
    else:
        index = thread.global_index(model.launch)
        facts.append(Fact(_("Global index"), count(index), Tone.FOCUS))
    return facts + _when_and_where(model, thread)


def _when_and_where(model: MappingModel, thread: ThreadId) -> list[Fact]:
    place = place_in_timeline(model, model.launch.grid.linear(thread.block))
    timeline = model.timeline
    if place is None or timeline is None:
        return []
    ran_on = _("SM {sm}, wave {wave}").format(
        sm=int(timeline.sm[place]), wave=int(timeline.wave[place]) + 1
    )
    end = duration(float(timeline.end_s[place]))
    return [Fact(_("Ran on"), ran_on), Fact(_("Finished"), end)]


def place_in_timeline(model: MappingModel, block: int) -> int | None:
    """Where the timeline holds a block of a launch that ran; None if it does not."""
    timeline = model.timeline
    if model.phase is not Phase.RAN or timeline is None or not timeline.start_s.size:
        return None
    return int(model.timeline_index(np.array([block]))[0])


def times_come_from(model: MappingModel) -> str:
    """Where times and SM numbers come from, as a sentence; empty without any."""
    timeline = model.timeline
    if timeline is None or model.phase is not Phase.RAN:
        return ""
    device = model.device.name if model.device else ""
    if timeline.provenance is Provenance.MEASURED:
        return _("SM and time measured on {device}").format(device=device)
    return _("SM and time modeled for {device}").format(device=device)


def block_facts(model: MappingModel, thread: ThreadId) -> list[Fact]:
    """When and where the selected block ran."""
    number = model.launch.grid.linear(thread.block)
    facts = [
        Fact(_("Block"), str(thread.block)),
        Fact(
            _("Number"),
            _("{n} of {blocks}").format(n=count(number + 1), blocks=count(model.launch.blocks)),
        ),
    ]
    place, timeline = place_in_timeline(model, number), model.timeline
    if place is None or timeline is None:
        return facts
    start, end = float(timeline.start_s[place]), float(timeline.end_s[place])
    wave = int(timeline.wave[place]) + 1
    tail = timeline.waves > 1 and wave == timeline.waves
    named = _("{n}, tail").format(n=wave) if tail else str(wave)
    return [
        *facts,
        Fact(_("Ran on"), _("SM {sm}").format(sm=int(timeline.sm[place]))),
        Fact(_("Wave"), named),
        Fact(_("Started"), duration(start)),
        Fact(_("Finished"), duration(end)),
        Fact(_("Duration"), duration(end - start), Tone.FOCUS),
    ]


def launch_facts(model: MappingModel) -> list[Fact]:
    """The whole launch: blocks, slots, waves and time."""
    launch, timeline = model.launch, model.timeline
    facts = [
        Fact(_("Blocks"), count(launch.blocks)),
        Fact(_("Threads per block"), count(launch.threads_per_block)),
        Fact(_("Warps per block"), count(launch.warps_per_block)),
    ]
    if timeline is None:
        return facts
    facts.append(Fact(_("Slots"), count(timeline.slots)))
    facts.append(Fact(_("Waves"), count(timeline.waves)))
    if model.phase is Phase.RAN:
        facts.append(Fact(_("Kernel time"), duration(timeline.duration_s)))
        facts.append(Fact(_("Mean slots in use"), percent(mean_use(timeline), 2)))
    return [*facts, *_most_at_once(model)]


def _most_at_once(model: MappingModel) -> list[Fact]:
    """Occupancy as it was seen beside the computed one."""
    found = seen_and_fit(model)
    if found is None:
        return []
    seen, fit = found
    words = _("{seen} observed, {fit} possible").format(seen=count(seen), fit=count(fit))
    return [Fact(_("Max blocks per SM"), words)]


def seen_and_fit(model: MappingModel) -> tuple[int, int] | None:
    """Most blocks that were on an SM at once, and those that fit; None unless all were recorded."""
    timeline, device = model.timeline, model.device
    if timeline is None or device is None or model.phase is not Phase.RAN:
        return None
    if timeline.provenance is not Provenance.MEASURED or timeline.stride > 1:
        return None
    return timeline.most_resident, timeline.slots // device.sm_count


def more_than_fit(model: MappingModel) -> str:
    """Why more blocks were seen on an SM than fit, as sentences; empty if there were not."""
    found = seen_and_fit(model)
    if found is None or found[0] <= found[1]:
        return ""
    return _(
        "A new block can start as soon as warps of an earlier block have finished. The number "
        "of resident warps never exceeds the limit of the SM."
    )


def mean_use(timeline: BlockTimeline) -> float:
    """Share of the slots that hold a block, over the whole launch."""
    if not timeline.duration_s or not timeline.start_s.size:
        return 0.0
    busy = float((timeline.end_s - timeline.start_s).mean()) * timeline.blocks
    return min(1.0, busy / (timeline.slots * timeline.duration_s))


def data_facts(model: MappingModel) -> list[Fact]:
    """How the selected array was covered."""
    coverage = model.coverage
    if coverage is None:
        return []
    facts = [
        Fact(
            _("Written"),
            _("{n} of {all}").format(n=count(coverage.written), all=count(coverage.elements)),
        )
    ]
    if coverage.uncovered:
        facts.append(Fact(_("Not written"), count(coverage.uncovered), Tone.ERROR))
    if coverage.multi_writer:
        facts.append(Fact(_("Multiple writers"), count(coverage.multi_writer), Tone.WARNING))
    return facts


def lanes_of_warp(model: MappingModel, thread: ThreadId) -> int:
    """Lanes of a thread's warp that exist: fewer than 32 in a block's last one."""
    warp, _lane = thread.warp_and_lane(model.launch)
    return min(WARP_SIZE, model.launch.threads_per_block - warp * WARP_SIZE)
