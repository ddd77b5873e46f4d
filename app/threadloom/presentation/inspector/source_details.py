# SPDX-License-Identifier: MIT
"""What there is to say about the chosen source: plain texts out of a launch_preview."""

from __future__ import annotations

from collections.abc import Sequence

from threadloom.model.array import Sizes
from threadloom.model.operation import Argument, Operation
from threadloom.model.operation import Role as Use
from threadloom.model.program import Parameter
from threadloom.model.trace import Branch
from threadloom.presentation.fact import Fact
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.tone import Tone
from threadloom.text import _, binary_bytes, count

_OFTEN = 0.1
"""Share of the times from which on it is worth a look that lanes part."""

ArgumentRow = tuple[str, str, str]
"""Name, type, and what it is filled with."""


def kernel_facts(launch_preview: LaunchPreview) -> list[Fact]:
    """Name and number of arguments of the kernel; what stands in for it if there is none."""
    kernel = launch_preview.signature
    if kernel is None:
        return [Fact(_("Name"), _("no kernel in the source"), Tone.ERROR)]
    facts = [Fact(_("Name"), kernel.name), Fact(_("Arguments"), count(len(kernel.parameters)))]
    if kernel.launch_bounds is not None:
        facts.append(Fact(_("Launch bounds"), count(kernel.launch_bounds)))
    return facts


def argument_rows(launch_preview: LaunchPreview) -> list[ArgumentRow]:
    """The kernel's parameters as they are declared, with what the operation gives each."""
    kernel, operation = launch_preview.signature, launch_preview.operation
    if kernel is None:
        return []
    sizes = operation.sizes(launch_preview.workspace.sizes)
    given = [_filled(argument, sizes) for argument in operation.arguments]
    given += [_("nothing")] * (len(kernel.parameters) - len(given))
    return [
        (parameter.name, _type(parameter), filled)
        for parameter, filled in zip(kernel.parameters, given, strict=False)
    ]


def _type(parameter: Parameter) -> str:
    return f"{parameter.type} *" if parameter.pointer else parameter.type


def _filled(argument: Argument, sizes: Sizes) -> str:
    if argument.role is Use.SIZE:
        return count(sizes[argument.axis or argument.name])
    shape = " × ".join(count(extent) for extent in argument.extents(sizes))
    words = {
        Use.IN: _("input, {shape}"),
        Use.OUT: _("output, {shape}"),
        Use.INOUT: _("input and output, {shape}"),
    }[argument.role]
    return words.format(shape=shape) if shape else words.format(shape=1)


def compared_with(operation: Operation) -> str:
    """What NumPy computes beside the kernel, such as ``c = a + b``."""
    return operation.formula


def branch_facts(branches: Sequence[Branch]) -> list[Fact]:
    """By line, how often a warp's lanes took different ways at its branches."""
    return [
        Fact(
            _("Line {line}").format(line=line),
            _("{n} of {executed}").format(n=count(diverged), executed=count(executed)),
            Tone.WARNING if diverged > _OFTEN * executed else Tone.TEXT,
        )
        for line, executed, diverged in _by_line(branches)
    ]


def _by_line(branches: Sequence[Branch]) -> list[tuple[int, int, int]]:
    sums: dict[int, tuple[int, int]] = {}
    for branch in branches:
        executed, diverged = sums.get(branch.line, (0, 0))
        sums[branch.line] = executed + branch.executed, diverged + branch.diverged
    return [(line, *sums[line]) for line in sorted(sums)]


def compiler_facts(launch_preview: LaunchPreview) -> list[Fact]:
    """What compiles for what, and what the kernel needs once that is known."""
    device, needs = launch_preview.device, launch_preview.resources
    if device.index is not None:
        facts = [Fact(_("Compiled by"), "nvcc"), Fact(_("Target"), device.architecture)]
    else:
        facts = [
            Fact(_("Compiled by"), _("the emulator")),
            Fact(_("Target"), _("CPU of this computer")),
        ]
    facts.append(Fact(_("Element type"), launch_preview.workspace.dtype))
    if needs is None:
        return facts
    if needs.registers is not None:
        facts.append(Fact(_("Registers per thread"), count(needs.registers)))
    if needs.spill_bytes:
        facts.append(
            Fact(_("Register spills per thread"), binary_bytes(needs.spill_bytes), Tone.WARNING)
        )
    if needs.shared_bytes:
        facts.append(Fact(_("Static shared memory"), binary_bytes(needs.shared_bytes)))
    return facts
