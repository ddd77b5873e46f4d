# SPDX-License-Identifier: MIT
"""What the meters show for a forecast."""

from __future__ import annotations

from threadloom.model.occupancy import Limiter, Occupancy
from threadloom.text import _, binary_bytes, count, ngettext, percent
from threadloom.ui.forecast import Forecast
from threadloom.ui.limits_panel.meter_row import Reading
from threadloom.ui.over_limit import over_words


def threads_and_elements(forecast: Forecast) -> Reading:
    """Threads of the launch against the elements to compute."""
    threads, elements = forecast.launch.threads, forecast.work_items
    value = f"{count(threads)} / {count(elements)}"
    share = threads / elements if elements > 0 else 0.0
    if threads > elements > 0:
        return Reading(value, 1.0, caption=_spare(forecast, threads - elements))
    return Reading(value, share)


def threads_per_block(forecast: Forecast) -> Reading:
    """Threads of a block against the device's limit."""
    threads, most = forecast.launch.threads_per_block, forecast.device.max_threads_per_block
    value = f"{count(threads)} / {count(most)}"
    if threads > most:
        return Reading(value, 1.0, "error", "error", over_words(threads, most))
    if min(forecast.launch.block) < 1:
        return Reading(value, 0.0, "error", "error", _("A block needs a thread at least"))
    return Reading(value, threads / most)


def registers_per_thread(forecast: Forecast) -> Reading:
    """Registers against the limit; only nvcc tells how many there are."""
    most = forecast.device.max_registers_per_thread
    if forecast.resources is None and forecast.device.index is not None:
        return Reading(_("after compiling"), tone="text-3")
    used = forecast.resources.registers if forecast.resources else None
    if used is None:
        return Reading(_("not known here"), tone="text-3")
    return Reading(f"{count(used)} / {count(most)}", used / most)


def shared_per_block(forecast: Forecast) -> Reading:
    """Static and dynamic shared memory of a block against the limit."""
    dynamic = forecast.launch.shared_bytes
    if forecast.resources is None and dynamic == 0:
        return Reading(_("after compiling"), tone="text-3")
    static = forecast.resources.shared_bytes if forecast.resources else 0
    used, most = static + dynamic, forecast.device.shared_per_block
    value = f"{binary_bytes(used)} / {binary_bytes(most)}"
    over = used > forecast.device.shared_per_block_optin
    tone, fill = ("error", "error") if over else ("text", "accent")
    return Reading(value, used / most, tone, fill)


def occupancy(forecast: Forecast) -> Reading:
    """Warps that an SM holds against those that it has room for, and what holds it back."""
    if forecast.refused or forecast.occupancy is None:
        return Reading(_("none, nothing can run"), tone="text-3")
    found = forecast.occupancy
    full = found.share >= 1.0
    tone, fill = ("ok", "ok") if full else ("text", "accent")
    return Reading(percent(found.share, 3), found.share, tone, fill, _held_back(forecast, found))


def _spare(forecast: Forecast, spare: int) -> str:
    """Threads past the end; that they do nothing is only said once a run has shown it."""
    text = _("{spare} threads past the end ({share})")
    if forecast.guarded:
        text = _("{spare} threads past the end do nothing ({share})")
    share = percent(spare / forecast.launch.threads, 1)
    return text.format(spare=count(spare), share=share)


def _held_back(forecast: Forecast, found: Occupancy) -> str:
    if found.limiter is Limiter.NOTHING:
        return _("Not one block fits on an SM")
    size = count(forecast.launch.threads_per_block)
    resident = found.blocks_per_sm * forecast.launch.threads_per_block
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
        Limiter.THREADS: _("{held}, the limit"),
        Limiter.REGISTERS: _("{held}, held back by registers"),
        Limiter.SHARED: _("{held}, held back by shared memory"),
    }
    return by[found.limiter].format(held=held)
