# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.run_records import with_facts

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.presentation.mapping.access_times import places_of, steps
from threadloom.presentation.mapping.mapping_model import of_result


@pytest.mark.parametrize("lane", [0, 37, 255])
def test_an_element_is_written_when_its_thread_writes_it(example: Run, lane: int) -> None:
    """Rows of statements ask the trace, cells of the data the coverage: both say the same."""
    model = of_result(example, "c")
    trace = model.block_trace
    assert trace is not None
    element = model.element_of_thread(ThreadId(Dim3(2, 0, 0), Dim3(lane, 0, 0)))
    (row,) = np.flatnonzero((trace.thread == lane) & (trace.step == 2))
    share = places_of(trace, model.launch)[row] / steps(trace)
    start, end = model.block_times(np.array([2]))
    (written,) = model.written_at(np.array([element]))
    assert written == pytest.approx(float(start[0] + (end[0] - start[0]) * share), rel=1e-6)


def test_the_last_warp_makes_its_last_access_when_the_block_ends(example: Run) -> None:
    model = of_result(example, "c")
    times = model.written_at(model.elements_of_block(1))
    _start, end = model.block_times(np.array([1]))
    assert times.max() == pytest.approx(float(end[0]))


def test_without_accesses_writes_are_spread_over_the_blocks_time(example: Run) -> None:
    assert example.trace is not None
    model = of_result(with_facts(example, trace=replace(example.trace, block=None)), "c")
    times = model.written_at(model.elements_of_block(1))
    start, end = model.block_times(np.array([1]))
    assert start[0] < times.min() < times.max() < end[0]
    assert len(np.unique(times)) == len(times)
