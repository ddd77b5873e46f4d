# SPDX-License-Identifier: MIT
"""A launch that sees every access."""

from __future__ import annotations

import re
from dataclasses import replace

from threadloom.backends.base import Compiled, Observed, Outputs
from threadloom.backends.emulator.interface import Status, Variable
from threadloom.backends.emulator.kernel import Kernel, Loader
from threadloom.backends.emulator.launching import Call, execute, prepare_call, printed_lines
from threadloom.backends.emulator.tracing import Canvas, trace_of
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.trace import Trace, ViolationKind

_STORES = 5
"""Kinds of access from which on a site writes, see ``tl_kind``."""
_MOST_COMPARED = 50_000_000
"""Accesses of a launch that is made again to compare what is stored: each takes some 50 ns then."""
_ABSENT = (0x7F7F7F7F7F7F7F7F, 0xFF7F7F7FFF7F7F7F)
"""What a shuffle gives from a lane that is not there: very much or very little, in any type."""
_SMALL = re.compile(r"\b(?:char|short|u?int(?:8|16)_t|uchar|ushort|half|bool|__nv_bfloat16)\b")


def observe(
    loader: Loader,
    compiled: Compiled,
    launch: Launch,
    arguments: Values,
    cores: int,
    block: Dim3 | None,
    outputs: tuple[str, ...],
    undefined: tuple[str, ...] = (),
    limit_s: float = 0.0,
    only_block: bool = False,
) -> Observed:
    """Launch once, observed.

    Raises:
        LaunchError: If the launch cannot be made.
    """
    kernel = compiled.handle
    if not isinstance(kernel, Kernel):
        raise TypeError("the kernel was compiled by another engine")
    library, binary = kernel.library, kernel.binary

    def once(
        cores: int, written: frozenset[str] = frozenset(), compare: bool = False, absent: int = 0
    ) -> tuple[Call, Canvas]:
        call = prepare_call(compiled, launch, arguments, cores, library, binary, written)
        canvas = _prepare_observed(call, block, undefined)
        call.request.limit_ns = int(limit_s * 1e9)
        call.request.only_kept = int(only_block and block is not None)
        call.request.compare_stores = int(compare)
        call.request.absent_value = absent
        execute(loader, call)
        return call, canvas

    def outputs_with(absent: int) -> dict[str, bytes]:
        call, _canvas = once(1, written, absent=absent)
        loader.release(call.library, call.request)
        return {name: array.tobytes() for name, array in call.outputs.items()}

    call, canvas = once(cores)
    written = _written_const(call)
    if call.request.status == Status.DONE and written:
        loader.release(call.library, call.request)
        call, canvas = once(cores, written)
    met = call.request.collided and call.request.status == Status.DONE
    if met and not kernel.together:
        # Cores met in an element: one core alone sees them in order.
        loader.release(call.library, call.request)
        call, canvas = once(1, written)
    if _may_be_harmless(call):
        loader.release(call.library, call.request)
        call, canvas = once(1, written, compare=True)
    try:
        printed = printed_lines(call)
        trace = trace_of(call, canvas, block, outputs, printed)
    finally:
        loader.release(call.library, call.request)
    if _reads_absent_lanes(trace):
        one, other = (outputs_with(value) for value in _ABSENT)
        trace = trace if one != other else _without_absent_lanes(trace)
    return Observed(Outputs(call.outputs, call.request.elapsed_ns * 1e-9, printed), trace)


def _reads_absent_lanes(trace: Trace) -> bool:
    return any(violation.kind is ViolationKind.ABSENT_LANE for violation in trace.violations)


def _without_absent_lanes(trace: Trace) -> Trace:
    """What a shuffle gets from a lane that is not there is of no consequence if it is not used."""
    kept = tuple(v for v in trace.violations if v.kind is not ViolationKind.ABSENT_LANE)
    return replace(trace, violations=kept)


def _may_be_harmless(call: Call) -> bool:
    """Whether threads store to one place, which does no harm if it is always the same value."""
    request = call.request
    few = request.accesses <= _MOST_COMPARED
    return bool(request.status == Status.DONE and request.rewritten and few)


def _written_const(call: Call) -> frozenset[str]:
    """Arrays that were stored to, though their parameters are const: a cast takes that away."""
    names = tuple(call.packed.arrays)
    sites = call.request.sites[: call.request.site_count]
    stored = {s.array for s in sites if s.kind >= _STORES and not s.shared and s.array < len(names)}
    return frozenset(names[i] for i in stored if not call.packed.writable[names[i]])


def _prepare_observed(call: Call, block: Dim3 | None, undefined: tuple[str, ...]) -> Canvas:
    request, kernel = call.request, call.kernel
    request.observed = 1
    request.status = 0
    declared = kernel.parsed.shared_of(kernel.entry)
    # Without barriers, too, threads of a block meet in shared memory, so all must be seen together.
    request.fibres = int(kernel.fibres or bool(declared) or kernel.ordered)
    request.fine_shared = int(any(_SMALL.search(d.type) for d in declared))
    if block is not None:
        request.kept_block = call.launch.grid.linear(block)
    canvas = Canvas.of(call, undefined)
    request.variables = (Variable * len(canvas.variables))(*canvas.variables)
    request.variable_count = len(canvas.variables)
    return canvas
