# SPDX-License-Identifier: MIT
"""More dynamic shared memory than a block may have."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from threadloom.model.finding import Finding, Fix
from threadloom.model.message import Message, Quantity, _, binary_bytes, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import fixed, to_launch, works
from threadloom.services.doctor.legality import shared_of_block


def find(facts: Facts) -> Iterable[Finding]:
    """Hold static and dynamic shared memory of a block against the device's two limits."""
    asked = shared_of_block(facts.launch, facts.resources)
    if facts.launch.shared_bytes < 0:
        yield _negative(facts)
    elif asked > facts.most_shared and facts.launch.shared_bytes:
        yield _over(facts, asked)
    elif asked > facts.device.shared_per_block and facts.launch.shared_bytes:
        yield _opted_in(facts, asked)


def _negative(facts: Facts) -> Finding:
    asked = facts.launch.shared_bytes
    return Finding(
        kind="shared-memory",
        severity=Severity.ERROR,
        message=_("Shared memory is {asked} bytes; it must be 0 or more").format(
            asked=count(asked)
        ),
        numbers={"asked": asked, "limit": 0},
        fixes=tuple(_fixes(facts)),
        verdict="launch-error",
        control="shared",
    )


def _over(facts: Facts, asked: int) -> Finding:
    most, optin = facts.most_shared, facts.device.shared_per_block_optin
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
        detail=detail.format(optin=_size(optin, (asked,)), bytes=facts.launch.shared_bytes),
        numbers={"asked": asked, "limit": most},
        fixes=tuple(_fixes(facts)),
        verdict="launch-error",
        control="shared",
    )


def _size(value: int, others: Iterable[int]) -> Quantity | Message:
    """A size in the usual units, or in bytes where it would look like another one."""
    shown = binary_bytes(value)
    if any(str(binary_bytes(other)) == str(shown) and other != value for other in others):
        return _("{bytes} bytes").format(bytes=count(value))
    return shown


def _opted_in(facts: Facts, asked: int) -> Finding:
    """Not an error here: both engines set the function's attribute when a launch needs it."""
    text = _("Opt-in shared memory: the block needs {asked}, more than {usual}")
    detail = _(
        "Threadloom opts in for you, up to {most}. In your own code, set"
        " `MAX_DYNAMIC_SHARED_SIZE_BYTES`."
    )
    usual, most = facts.device.shared_per_block, facts.device.shared_per_block_optin
    return Finding(
        kind="shared-memory",
        severity=Severity.NOTE,
        message=text.format(asked=binary_bytes(asked), usual=binary_bytes(usual)),
        detail=detail.format(most=binary_bytes(most)),
        numbers={"asked": asked, "limit": most, "usual": usual},
        control="shared",
    )


def _fixes(facts: Facts) -> Iterator[Fix]:
    """What the rule asks for with this block; else a block for which it asks for less."""
    least = _ruled(facts)
    title = _("Set shared memory to {size}").format(size=binary_bytes(least))
    launch = replace(facts.launch, shared_bytes=least)
    if launch != facts.launch and works(facts, launch):
        yield replace(to_launch(facts, launch, title=title), shared_bytes=least)
    elif facts.ruled_variant is not None:
        yield from fixed(facts)


def _ruled(facts: Facts) -> int:
    variant = facts.ruled_variant
    if variant is None or min(facts.launch.block) < 1:
        static = facts.resources.shared_bytes if facts.resources else 0
        largest = facts.most_shared - static
        return max(0, min(facts.launch.shared_bytes, largest))
    return variant.rule.shared_bytes(facts.sizes, facts.launch.block, facts.item_bytes)
