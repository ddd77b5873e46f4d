# SPDX-License-Identifier: MIT
"""From the engine's records to the model's trace."""

from __future__ import annotations

from threadloom.backends.emulator.report.access_log import block_trace
from threadloom.backends.emulator.report.buffers import TraceBuffers
from threadloom.backends.emulator.report.sites import branches_of, distinct_bytes, sites_of
from threadloom.backends.emulator.report.timeout import timeout_violation
from threadloom.backends.emulator.report.violations import races_of, violations_of
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.dim3 import Dim3
from threadloom.model.trace import Trace


def trace_of(
    call: Call,
    buffers: TraceBuffers,
    block: Dim3 | None,
    outputs: tuple[str, ...],
    printed: tuple[str, ...],
) -> Trace:
    """Everything that the engine recorded, in the model's types and the user's lines."""
    request = call.request
    sites, numbers = sites_of(call, buffers)
    wanted = outputs or tuple(call.outputs)
    timeout = timeout_violation(call)
    return Trace(
        coverage={name: buffers.coverage(call, name) for name in wanted if name in call.outputs},
        sites=sites,
        accesses=request.accesses,
        distinct_bytes=distinct_bytes(call),
        oob_threads=request.oob_threads,
        oob_reads=request.oob_reads,
        oob_writes=request.oob_writes,
        uninitialized_reads=request.uninitialized,
        unchecked=request.unchecked,
        barrier_divergence=request.divergent,
        branches=branches_of(call),
        races=races_of(call, buffers),
        violations=(*violations_of(call, buffers), *([timeout] if timeout is not None else [])),
        block=block_trace(call, buffers.variable_names, buffers.variable_types, block, numbers)
        if block is not None
        else None,
        elapsed_s=request.elapsed_ns * 1e-9,
        printed=printed,
    )
