# SPDX-License-Identifier: MIT
"""What the meters show for a launch_preview."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.occupancy import Limiter, Occupancy
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.over_limit import over_words
from threadloom.presentation.tone import Tone
from threadloom.text import _, binary_bytes, count, ngettext, percent


def threads_and_elements(launch_preview: LaunchPreview) -> Reading:
    """Threads of the launch against the elements to compute."""
    threads, elements = launch_preview.launch.threads, launch_preview.work_items
    value = f"{count(threads)} / {count(elements)}"
    share = threads / elements if elements > 0 else 0.0
    if threads > elements > 0:
        return Reading(value, 1.0, caption=_spare(launch_preview, threads - elements))
    return Reading(value, share)


def threads_per_block(launch_preview: LaunchPreview) -> Reading:
    """Threads of a block against the device's limit."""
    threads, most = (
        launch_preview.launch.threads_per_block,
        launch_preview.device.max_threads_per_block,
    )
    value = f"{count(threads)} / {count(most)}"
    if threads > most:
        return Reading(value, 1.0, Tone.ERROR, Tone.ERROR, over_words(threads, most))
    if min(launch_preview.launch.block) < 1:
        return Reading(value, 0.0, Tone.ERROR, Tone.ERROR, _("A block needs at least one thread"))
    return Reading(value, threads / most)


def registers_per_thread(launch_preview: LaunchPreview) -> Reading:
    """Registers against the limit; only nvcc tells how many there are."""
    most = launch_preview.device.max_registers_per_thread
    if launch_preview.resources is None and launch_preview.device.index is not None:
        return Reading(_("after compiling"), tone=Tone.TERTIARY)
    used = launch_preview.resources.registers if launch_preview.resources else None
    if used is None:
        return Reading(_("unknown"), tone=Tone.TERTIARY)
    return Reading(f"{count(used)} / {count(most)}", used / most)


def shared_per_block(launch_preview: LaunchPreview) -> Reading:
    """Static and dynamic shared memory of a block against the limit."""
    dynamic = launch_preview.launch.shared_bytes
    if launch_preview.resources is None and dynamic == 0:
        return Reading(_("after compiling"), tone=Tone.TERTIARY)
    static = launch_preview.resources.shared_bytes if launch_preview.resources else 0
    used, most = static + dynamic, launch_preview.device.shared_per_block
    value = f"{binary_bytes(used)} / {binary_bytes(most)}"
    over = used > launch_preview.device.shared_per_block_optin
    tone, fill = (Tone.ERROR, Tone.ERROR) if over else (Tone.TEXT, Tone.ACCENT)
    return Reading(value, used / most, tone, fill)


def occupancy(launch_preview: LaunchPreview) -> Reading:
    """Warps that an SM holds against those that it has room for, and what holds it back."""
    if launch_preview.refused or launch_preview.occupancy is None:
        return Reading(_("none: the launch is not valid"), tone=Tone.TERTIARY)
    found = launch_preview.occupancy
    full = found.share >= 1.0
    tone, fill = (Tone.OK, Tone.OK) if full else (Tone.TEXT, Tone.ACCENT)
    return Reading(
        percent(found.share, 3), found.share, tone, fill, _held_back(launch_preview, found)
    )


def _spare(launch_preview: LaunchPreview, spare: int) -> str:
    """Threads past the end; that they do nothing is only said once a run has shown it."""
    text = _("{spare} threads past the end ({share})")
    if launch_preview.guarded:
        text = _("{spare} threads past the end are idle ({share})")
    share = percent(spare / launch_preview.launch.threads, 1)
    return text.format(spare=count(spare), share=share)


def _held_back(launch_preview: LaunchPreview, found: Occupancy) -> str:
    if found.limiter is Limiter.NOTHING:
        return _("No block fits on an SM")
    size = count(launch_preview.launch.threads_per_block)
    resident = found.blocks_per_sm * launch_preview.launch.threads_per_block
    blocks = found.blocks_per_sm
    if found.limiter is Limiter.BLOCKS:
        text = ngettext(
            "{blocks} block per SM is the limit: {threads} threads",
            "{blocks} blocks per SM is the limit: {threads} threads",
            blocks,
        )
        return text.format(blocks=count(blocks), threads=count(resident))
    held = ngettext(
        "{blocks} block × {size} = {threads} threads per SM",
        "{blocks} blocks × {size} = {threads} threads per SM",
        blocks,
    ).format(blocks=count(blocks), size=size, threads=count(resident))
    by = {
        Limiter.THREADS: _("{held}, at the limit"),
        Limiter.REGISTERS: _("{held}, limited by registers"),
        Limiter.SHARED: _("{held}, limited by shared memory"),
    }
    return by[found.limiter].format(held=held)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a meter shows."""

    value: str
    """Such as ``256 / 1,024``."""
    share: float = 0.0
    """0 to 1; above 1 means over the limit."""
    tone: Tone = Tone.TEXT
    """Token of the figure's color."""
    fill: Tone = Tone.ACCENT
    """Token of the bar's color."""
    caption: str = ""
