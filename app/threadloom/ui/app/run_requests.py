# SPDX-License-Identifier: MIT
"""What the window asks of a run: all of it, another block's accesses, the whole way."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.provenance import Engine
from threadloom.services.messages.run import RunRequest
from threadloom.ui.state.store import Store


def run_request(store: Store, job: Job, kernel_limit_s: float, *, anyway: bool) -> RunRequest:
    """A run that shows itself before its times are known, with the baselines that are chosen."""
    return RunRequest(
        job,
        block=block_to_watch(store),
        ahead=True,
        nvcc_wait_s=0.0,
        anyway=anyway,
        kernel_limit_s=kernel_limit_s,
        baselines=store.baselines,
    )


def look_request(store: Store, job: Job, kernel_limit_s: float) -> RunRequest | None:
    """The accesses of the selected block; None if they are known, or nothing is to be seen."""
    result, selected_thread = store.run, store.selected_thread
    if selected_thread is None or result is None or store.stale:
        return None
    trace = result.trace
    watched = trace.block.block if trace is not None and trace.block is not None else None
    block = block_to_watch(store)
    if trace is None or block == watched or block != selected_thread.thread.block:
        return None
    return RunRequest(
        job, block=block, timings=False, nvcc_wait_s=0.0, kernel_limit_s=kernel_limit_s
    )


def breakdown_request(store: Store, job: Job) -> RunRequest | None:
    """The whole way of the shown run; None if it is known, or there was none through a GPU."""
    result = store.run
    if result is None or store.stale or not result.launched:
        return None
    if result.engine is not Engine.GPU or result.breakdown is not None:
        return None
    return RunRequest(job, observe=False, timings=False, breakdown=True)


def block_to_watch(store: Store) -> Dim3:
    """The selected block if the launch has it, else the first one."""
    selected_thread, preview = store.selected_thread, store.launch_preview
    if selected_thread is None or preview is None:
        return Dim3(0, 0, 0)
    inside = zip(selected_thread.thread.block, preview.launch.grid, strict=True)
    fits = all(0 <= at < extent for at, extent in inside)
    return selected_thread.thread.block if fits else Dim3(0, 0, 0)
