# SPDX-License-Identifier: MIT
"""A refused launch in plain texts: asked, allowed, why, and what the fixed one would be."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.finding import Finding, Fix
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources
from threadloom.model.run import Run
from threadloom.presentation.fact import Fact
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.presentation.tone import Tone
from threadloom.text import _, binary_bytes, count, ngettext, percent


@dataclass(frozen=True, slots=True)
class InvalidLaunch:
    """All that the panel says."""

    facts: tuple[Fact, ...]
    reasons: tuple[str, ...]
    cuda_says: str


def invalid_launch_of(model: MappingModel, finding: Finding) -> InvalidLaunch:
    """Word a finding that stops a launch."""
    return InvalidLaunch(
        tuple(_facts(model, finding)), reasons(model, finding), cuda_words(finding)
    )


def _facts(model: MappingModel, finding: Finding) -> list[Fact]:
    launch, device = model.launch, model.device
    blocks = ngettext("{n} block × {threads}", "{n} blocks × {threads}", launch.blocks)
    asked = blocks.format(n=count(launch.blocks), threads=count(launch.threads_per_block))
    facts = [Fact(_("Requested"), asked)]
    if device is None:
        return facts
    if finding.kind.startswith("grid"):
        most = device.max_grid
        limit = f"{count(most.x)} × {count(most.y)} × {count(most.z)}"
        return [*facts, Fact(_("Largest grid"), limit)]
    if "shared" in finding.kind:
        asked_bytes = binary_bytes(launch.shared_bytes)
        allowed = binary_bytes(device.shared_per_block)
        return [
            *facts,
            Fact(_("Shared memory requested"), asked_bytes, Tone.ERROR),
            Fact(_("Device limit"), _("{bytes} per block").format(bytes=allowed)),
        ]
    allowed = _("{n} per block").format(n=count(device.max_threads_per_block))
    facts.append(Fact(_("Device limit"), allowed))
    if launch.threads_per_block > 0:
        warps = _("{n}, limit {most}").format(
            n=count(launch.warps_per_block), most=count(device.max_threads_per_block // WARP_SIZE)
        )
        facts.append(Fact(_("Warps per block"), warps))
    return facts


def reasons(model: MappingModel, finding: Finding) -> tuple[str, ...]:
    """Why the device has this limit."""
    device = model.device
    if device is None:
        return (str(finding.detail),)
    if finding.kind.startswith("grid"):
        return (
            _("CUDA limits the block index per axis: 31 bits for x, 16 bits for y and z."),
            _("Blocks are independent, so no other limit applies to their number."),
        )
    if "shared" in finding.kind:
        return (
            _(
                "Each SM of this device has {all} of shared memory. A block may use {most} by "
                "default, and {optin} if the kernel opts in."
            ).format(
                all=binary_bytes(device.shared_per_sm),
                most=binary_bytes(device.shared_per_block),
                optin=binary_bytes(device.shared_per_block_optin),
            ),
        )
    if "register" in finding.kind or "launch-bounds" in finding.kind:
        return (
            _(
                "All threads of a block are resident on one SM, and each needs separate "
                "registers. An SM of this device has {n}."
            ).format(n=count(device.registers_per_sm)),
        )
    if "positive" in finding.kind:
        return (_("A launch with an extent below 1 has no threads."),)
    return (
        _(
            "All threads of a block are resident on one SM, so that they can share memory and "
            "synchronize. An SM holds up to {room} threads; CUDA allows {most} per block."
        ).format(room=count(device.max_threads_per_sm), most=count(device.max_threads_per_block)),
        _("A grid may have up to {n} blocks along x.").format(n=count(device.max_grid.x)),
    )


def cuda_words(finding: Finding) -> str:
    """What CUDA says through PyCUDA, as it was seen on an H200; empty where it was not tried."""
    if finding.kind in {"block-too-large", "block-axis-too-large"}:
        return "cuFuncSetBlockShape failed: invalid argument"
    if finding.kind in {"grid-axis-too-large", "grid-not-positive"}:
        return "cuLaunchKernel failed: invalid argument"
    return ""


def driver_words(result: Run | None) -> str:
    """What the driver said of a launch that was made although it would be refused; or empty."""
    told = result.findings if result is not None and not result.launched else ()
    died = next((finding for finding in told if finding.kind == "kernel-failed"), None)
    if died is None or len(told) < 2:
        return ""
    return str(died.numbers.get("driver", ""))


def fixed(launch: Launch, fix: Fix) -> Launch:
    """The launch with a fix's changes."""
    shared = launch.shared_bytes if fix.shared_bytes is None else fix.shared_bytes
    return Launch(fix.grid or launch.grid, fix.block or launch.block, shared)


def launch_line(entry: str, launch: Launch) -> str:
    """The launch as it stands in a source: ``vec_add<<<1954, 256>>>(…);``."""
    return f"{entry or 'kernel'}<<<{_dim3(launch.grid)}, {_dim3(launch.block)}>>>(…);"


def _dim3(extents: Dim3) -> str:
    short = extents.short()
    return f"dim3({short})" if "," in short else short


def mended_facts(model: MappingModel, launch: Launch) -> list[Fact]:
    """What the fixed launch comes to."""
    facts = [Fact(_("Threads"), count(launch.threads))]
    past = launch.threads - model.elements
    if past >= 0 and model.elements:
        share = percent(past / max(1, launch.threads), 1)
        facts.append(Fact(_("Past the end"), _("{n} ({share})").format(n=count(past), share=share)))
    device = model.device
    if device is None or min(launch.block) < 1 or min(launch.grid) < 1:
        return facts
    return facts + _occupancy_facts(device, launch)


def _occupancy_facts(device: DeviceModel, launch: Launch) -> list[Fact]:
    found = occupancy(device, launch, Resources())
    if not found.blocks_per_sm:
        return []
    waves = ceil_div(launch.blocks, found.blocks_per_sm * device.sm_count)
    tone = Tone.OK if found.share >= 0.75 else Tone.TEXT
    return [
        Fact(_("Occupancy"), percent(found.share, 3), tone),
        Fact(_("Waves on {n} SMs").format(n=count(device.sm_count)), count(waves)),
    ]
