# SPDX-License-Identifier: MIT
"""Texts of a launch: what device code printed, and what ended an uninstrumented run."""

from __future__ import annotations

import ctypes

from threadloom.backends.emulator.runtime.abi import FaultKind
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.launch import ThreadId
from threadloom.model.message import Message, _, count


def printed_lines(call: Call) -> tuple[str, ...]:
    """What device code printed, by thread, each line with the thread that wrote it."""
    request = call.request
    raw = ctypes.string_at(request.printed, request.printed_bytes) if request.printed else b""
    records: list[tuple[int, str]] = []
    at = 0
    while at < len(raw):
        thread = int.from_bytes(raw[at : at + 8], "little")
        length = int.from_bytes(raw[at + 8 : at + 12], "little")
        records.append((thread, raw[at + 12 : at + 12 + length].decode(errors="replace")))
        at += 12 + length
    texts: dict[int, str] = {}
    for thread, text in records:
        texts[thread] = texts.get(thread, "") + text
    lines = []
    for thread in sorted(texts):
        who = thread_text(ThreadId.of_global(call.launch, thread))
        lines += [f"{who}: {line}" for line in texts[thread].splitlines()]
    return tuple(lines)


def thread_text(thread: ThreadId) -> Message:
    """A thread, user-visible."""
    return _("block {block}, thread {thread}").format(block=thread.block, thread=thread.thread)


def failure_text(call: Call) -> Message:
    """What ended an uninstrumented run, where and in which thread."""
    fault = call.request.fault
    kind = FaultKind(fault.kind)
    who = thread_text(ThreadId.of_global(call.launch, fault.thread))
    line = fault.site if kind is FaultKind.ASSERT else call.line(fault.site)
    what = _what(call, kind)
    if line:
        return _("{what} in line {line} ({who}).").format(what=what, line=line, who=who)
    return _("{what} ({who}).").format(what=what, who=who)


def _what(call: Call, kind: FaultKind) -> Message:
    fault = call.request.fault
    if kind is FaultKind.OUT_OF_BOUNDS and fault.array < len(call.packed.arrays):
        name = list(call.packed.arrays)[fault.array]
        size = call.packed.arrays[name].size
        return _("Out-of-bounds access to {name}[{index}]: the array has {size} elements").format(
            name=name, index=count(fault.element), size=count(size)
        )
    texts = {
        FaultKind.OUT_OF_BOUNDS: _("Out-of-bounds access outside every array"),
        FaultKind.ASSERT: _("Assertion failed: {condition}").format(
            condition=(call.request.message or b"").decode(errors="replace")
        ),
        FaultKind.STACK: _("Stack overflow"),
        FaultKind.TRAP: _("The kernel executed a trap"),
        FaultKind.DIVISION: _("Integer division by zero"),
    }
    return texts.get(kind, _("The kernel failed"))
