# SPDX-License-Identifier: MIT
"""More registers than a block may have."""

from collections.abc import Iterable, Iterator

from threadloom.model.finding import Control, Finding, Fix, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import Message, _, count
from threadloom.model.occupancy import register_limited_block
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import (
    describe,
    first_working,
    halved,
    launch_with,
)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the registers of all threads of the block against the limit."""
    if context.run.resources is None or min(context.run.launch.block) < 1:
        return
    threads = context.run.launch.threads_per_block
    most = register_limited_block(context.run.device, context.run.resources)
    if not most < threads <= context.run.device.max_threads_per_block:
        return
    registers = context.run.resources.registers
    numbers = {"threads": threads, "limit": most}
    detail = _("At most {most} threads of this kernel fit.").format(most=count(most))
    if registers is not None:
        detail = _(
            "{registers} per thread × {threads} exceeds {allowed} per block. Use a smaller block."
        ).format(
            registers=count(registers),
            threads=count(threads),
            allowed=count(context.run.device.registers_per_block),
        )
        numbers |= {
            "registers": registers,
            "registers_per_block": context.run.device.registers_per_block,
        }
    text = _("Too many registers for a block of {threads} threads")
    yield Finding(
        kind="registers",
        severity=Severity.ERROR,
        message=text.format(threads=count(threads)),
        detail=detail,
        numbers=numbers,
        fixes=tuple(_fixes(context, most)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.BLOCK_X,
    )


def _fixes(context: DiagnosticContext, most: int) -> Iterator[Fix]:
    launches = (launch_with(context, block) for block in halved(context.run.launch.block, most))
    titled: list[tuple[Message, Launch]] = [(describe(launch), launch) for launch in launches]
    yield from list(first_working(context, titled))[:2]
