# SPDX-License-Identifier: MIT
"""A launch that sees every access."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from threadloom.backends.base import Compiled, Observed, Outputs
from threadloom.backends.emulator.compile.kernel import Kernel
from threadloom.backends.emulator.report.buffers import TraceBuffers
from threadloom.backends.emulator.report.failure import printed_lines
from threadloom.backends.emulator.report.trace import trace_of
from threadloom.backends.emulator.runtime.abi import Status, Variable
from threadloom.backends.emulator.runtime.launch import Call, execute, prepare_call
from threadloom.backends.emulator.runtime.loader import Loader
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.trace import Trace, ViolationKind

_STORES = 5
"""Kinds of access from which on a site writes, see ``tl_kind``."""
_MOST_COMPARED = 50_000_000
"""Accesses of a launch that is run again to find silent stores: each takes some 50 ns then."""
_INACTIVE_VALUES = (0x7F7F7F7F7F7F7F7F, 0xFF7F7F7FFF7F7F7F)
"""What a shuffle returns from an inactive lane: very much or very little, in any type."""
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
    limits = _Limits(block, undefined, int(limit_s * 1e9), only_block)
    run = _ObservedRun(loader, compiled, kernel, launch, arguments, limits)
    call, buffers, written = run.traced(cores)
    try:
        printed = printed_lines(call)
        trace = trace_of(call, buffers, block, outputs, printed)
    finally:
        loader.release(call.library, call.request)
    if _reads_inactive_lanes(trace) and not run.depends_on_inactive_lanes(written):
        trace = _without_inactive_lanes(trace)
    return Observed(Outputs(call.outputs, call.request.elapsed_ns * 1e-9, printed), trace)


@dataclass(frozen=True, slots=True)
class _Limits:
    """What is traced of a launch, and for how long."""

    block: Dim3 | None
    undefined: tuple[str, ...]
    limit_ns: int
    only_block: bool


@dataclass(frozen=True, slots=True)
class _ObservedRun:
    """One launch, run as often as its trace needs."""

    loader: Loader
    compiled: Compiled
    kernel: Kernel
    launch: Launch
    arguments: Values
    limits: _Limits

    def traced(self, cores: int) -> tuple[Call, TraceBuffers, frozenset[str]]:
        """The run whose records count, and the const arrays that it writes."""
        call, buffers = self._once(cores)
        written = _written_const(call)
        if call.request.status == Status.DONE and written:
            call, buffers = self._again(call, cores, written)
        lost = call.request.lost_writes and call.request.status == Status.DONE
        if lost and not self.kernel.cooperative:
            # Cores wrote to an element at the same time: one core alone records them in order.
            call, buffers = self._again(call, 1, written)
        if _may_be_silent(call):
            call, buffers = self._again(call, 1, written, compare=True)
        return call, buffers, written

    def depends_on_inactive_lanes(self, written: frozenset[str]) -> bool:
        """Whether outputs change with the value that a shuffle returns from an inactive lane."""
        one, other = (self._outputs_with(value, written) for value in _INACTIVE_VALUES)
        return one != other

    def _again(
        self, before: Call, cores: int, written: frozenset[str], compare: bool = False
    ) -> tuple[Call, TraceBuffers]:
        self.loader.release(before.library, before.request)
        return self._once(cores, written, compare)

    def _once(
        self,
        cores: int,
        written: frozenset[str] = frozenset(),
        compare: bool = False,
        inactive: int = 0,
    ) -> tuple[Call, TraceBuffers]:
        kernel, limits = self.kernel, self.limits
        library, binary = kernel.library, kernel.binary
        call = prepare_call(
            self.compiled, self.launch, self.arguments, cores, library, binary, written
        )
        buffers = _prepare_observed(call, limits.block, limits.undefined)
        call.request.limit_ns = limits.limit_ns
        call.request.only_logged_block = int(limits.only_block and limits.block is not None)
        call.request.compare_stores = int(compare)
        call.request.inactive_value = inactive
        execute(self.loader, call)
        return call, buffers

    def _outputs_with(self, inactive: int, written: frozenset[str]) -> dict[str, bytes]:
        call, _buffers = self._once(1, written, inactive=inactive)
        self.loader.release(call.library, call.request)
        return {name: array.tobytes() for name, array in call.outputs.items()}


def _reads_inactive_lanes(trace: Trace) -> bool:
    return any(violation.kind is ViolationKind.ABSENT_LANE for violation in trace.violations)


def _without_inactive_lanes(trace: Trace) -> Trace:
    """Reading an inactive lane has no effect if the value is not used."""
    kept = tuple(v for v in trace.violations if v.kind is not ViolationKind.ABSENT_LANE)
    return replace(trace, violations=kept)


def _may_be_silent(call: Call) -> bool:
    """Whether stores race that may be silent: harmless if they always store the same value."""
    request = call.request
    few = request.accesses <= _MOST_COMPARED
    return bool(request.status == Status.DONE and request.racing_stores and few)


def _written_const(call: Call) -> frozenset[str]:
    """Arrays that were stored to, though their parameters are const: a cast takes that away."""
    names = tuple(call.packed.arrays)
    sites = call.request.sites[: call.request.site_count]
    stored = {s.array for s in sites if s.kind >= _STORES and not s.shared and s.array < len(names)}
    return frozenset(names[i] for i in stored if not call.packed.writable[names[i]])


def _prepare_observed(call: Call, block: Dim3 | None, undefined: tuple[str, ...]) -> TraceBuffers:
    request, kernel = call.request, call.kernel
    request.observed = 1
    request.status = 0
    declared = kernel.parsed.shared_of(kernel.entry)
    # Threads of a block share memory also without barriers, so all must be traced at the same time.
    request.fibers = int(kernel.fibers or bool(declared) or kernel.uses_fences)
    request.fine_shared = int(any(_SMALL.search(d.type) for d in declared))
    if block is not None:
        request.logged_block = call.launch.grid.linear(block)
    buffers = TraceBuffers.of(call, undefined)
    request.variables = (Variable * len(buffers.variables))(*buffers.variables)
    request.variable_count = len(buffers.variables)
    return buffers
