# SPDX-License-Identifier: MIT
"""A launch that the watchdog stopped: which thread spins and where, or that it takes too long."""

from __future__ import annotations

from collections import Counter

from threadloom.backends.emulator.report.failure import thread_text
from threadloom.backends.emulator.runtime.abi import Timeout
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.launch import ThreadId
from threadloom.model.message import Message, Quantity, _, count, duration, ngettext
from threadloom.model.trace import AccessKind, Space, Violation, ViolationKind


def timeout_violation(call: Call) -> Violation | None:
    """The violation of a launch that reached its time limit; None if it ended in time."""
    if call.request.timeout == Timeout.IN_TIME:
        return None
    spins = call.request.timeout == Timeout.SPINNING
    return Violation(
        kind=ViolationKind.ENDLESS if spins else ViolationKind.TOO_LONG,
        thread=ThreadId.of_global(call.launch, call.request.spin_thread),
        line=_spinning_line(call) if spins else 0,
        access=AccessKind.READ,
        space=Space.GLOBAL,
        array="",
        index=0,
        count=1,
        detail=_spinning(call) if spins else _long(call),
    )


def timeout_text(call: Call) -> Message:
    """The same for an uninstrumented run, in one sentence with the line and the thread."""
    if call.request.timeout == Timeout.TOO_LONG:
        return _long(call)
    who = thread_text(ThreadId.of_global(call.launch, call.request.spin_thread))
    line = _spinning_line(call)
    text = _("Timeout: the kernel was stopped in line {line} ({who}).")
    return (text if line else _("Timeout: the kernel was stopped ({who}).")).format(
        line=line, who=who
    )


def _spinning_line(call: Call) -> int:
    """The line where the thread was most often; 0 if none is known.

    It was looked at several times, as some instructions belong to no line of the user's.
    """
    if call.request.spin_line:
        return int(call.request.spin_line)
    lines = Counter(line for address in call.request.spin_pcs if (line := call.line(address)))
    return min(lines, key=lambda line: (-lines[line], line), default=0)


def _spinning(call: Call) -> Message:
    return _("Timeout: the kernel ran longer than {limit} and was stopped.").format(
        limit=_limit(call)
    )


def _long(call: Call) -> Message:
    text = ngettext(
        "Timeout after {limit}: the launch was stopped after {done} of {blocks} block.",
        "Timeout after {limit}: the launch was stopped after {done} of {blocks} blocks.",
        call.launch.blocks,
    )
    return text.format(
        limit=_limit(call),
        done=count(call.request.blocks_done),
        blocks=count(call.launch.blocks),
    )


def _limit(call: Call) -> Quantity:
    return duration(call.request.limit_ns / 1e9)
