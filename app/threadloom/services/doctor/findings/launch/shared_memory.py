# SPDX-License-Identifier: MIT
"""More dynamic shared memory than a block may have."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from threadloom.model.finding import Control, Finding, Fix, Verdict
from threadloom.model.message import Message, Quantity, _, binary_bytes, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import fixed, to_launch, works
from threadloom.services.doctor.legality import shared_of_block


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold static and dynamic shared memory of a block against the device's two limits."""
    asked = shared_of_block(context.run.launch, context.run.resources)
    if context.run.launch.shared_bytes < 0:
        yield _negative(context)
    elif asked > context.most_shared and context.run.launch.shared_bytes:
        yield _over(context, asked)
    elif asked > context.run.device.shared_per_block and context.run.launch.shared_bytes:
        yield _opted_in(context, asked)


def _negative(context: DiagnosticContext) -> Finding:
    asked = context.run.launch.shared_bytes
    return Finding(
        kind="shared-memory",
        severity=Severity.ERROR,
        message=_("Shared memory is {asked} bytes; it must be 0 or more").format(
            asked=count(asked)
        ),
        numbers={"asked": asked, "limit": 0},
        fixes=tuple(_fixes(context)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SHARED,
    )


def _over(context: DiagnosticContext, asked: int) -> Finding:
    most, optin = context.most_shared, context.run.device.shared_per_block_optin
    text = _("Too much shared memory: the block needs {asked}, the limit is {most}")
    detail = _(
        "Opt in to up to {optin}:"
        " `func.set_attribute(cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, {bytes})`."
    )
    if most == optin or asked > optin:
        detail = _("{optin} is the most that this device has for a block. Use less shared memory.")
    return Finding(
        kind="shared-memory",
        severity=Severity.ERROR,
        message=text.format(asked=_size(asked, (most, optin)), most=_size(most, (asked,))),
        detail=detail.format(optin=_size(optin, (asked,)), bytes=context.run.launch.shared_bytes),
        numbers={"asked": asked, "limit": most},
        fixes=tuple(_fixes(context)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SHARED,
    )


def _size(value: int, others: Iterable[int]) -> Quantity | Message:
    """A size in the usual units, or in bytes where it would look like another one."""
    shown = binary_bytes(value)
    if any(str(binary_bytes(other)) == str(shown) and other != value for other in others):
        return _("{bytes} bytes").format(bytes=count(value))
    return shown


def _opted_in(context: DiagnosticContext, asked: int) -> Finding:
    """Not an error here: both engines set the function's attribute when a launch needs it."""
    text = _("Opt-in shared memory: the block needs {asked}, more than {usual}")
    detail = _(
        "Threadloom opts in for you, up to {most}. In your own code, set"
        " `MAX_DYNAMIC_SHARED_SIZE_BYTES`."
    )
    usual, most = context.run.device.shared_per_block, context.run.device.shared_per_block_optin
    return Finding(
        kind="shared-memory",
        severity=Severity.NOTE,
        message=text.format(asked=binary_bytes(asked), usual=binary_bytes(usual)),
        detail=detail.format(most=binary_bytes(most)),
        numbers={"asked": asked, "limit": most, "usual": usual},
        control=Control.SHARED,
    )


def _fixes(context: DiagnosticContext) -> Iterator[Fix]:
    """What the rule asks for with this block; else a block for which it asks for less."""
    least = _ruled(context)
    title = _("Set shared memory to {size}").format(size=binary_bytes(least))
    launch = replace(context.run.launch, shared_bytes=least)
    if launch != context.run.launch and works(context, launch):
        yield replace(to_launch(context, launch, title=title), shared_bytes=least)
    elif context.ruled_variant is not None:
        yield from fixed(context)


def _ruled(context: DiagnosticContext) -> int:
    variant = context.ruled_variant
    if variant is None or min(context.run.launch.block) < 1:
        static = context.run.resources.shared_bytes if context.run.resources else 0
        largest = context.most_shared - static
        return max(0, min(context.run.launch.shared_bytes, largest))
    return variant.rule.shared_bytes(context.sizes, context.run.launch.block, context.item_bytes)
