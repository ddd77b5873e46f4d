# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from threadloom.worker.processor_time import ProcessorTime, read


def test_time_that_a_thread_computes_is_counted() -> None:
    before = read(os.getpid())
    while (used := read(os.getpid()).since(before)) < 0.05:
        pass
    assert used <= read(os.getpid()).total_s - before.total_s + 0.02  # of the clock's ticks


@pytest.mark.skipif(sys.platform != "linux", reason="threads go by other numbers elsewhere")
def test_threads_are_told_apart() -> None:
    assert threading.get_native_id() in read(os.getpid()).by_thread


def test_a_process_that_has_ended_has_used_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as program:
        program.wait()
    assert read(program.pid).since(ProcessorTime(3.0, {}, 1)) == 0.0
    assert read(None).total_s == 0.0


@pytest.mark.parametrize(
    ("now", "used"),
    [
        (ProcessorTime(10.0, {1: 10.0}, 4), 10.0),
        (ProcessorTime(10.0, {1: 5.0, 2: 5.0}, 4), 5.0),
        (ProcessorTime(80.0, {1: 5.0, 2: 5.0}, 4), 20.0),
        (ProcessorTime(8.0, {}, 4), 2.0),
    ],
)
def test_the_busiest_thread_or_all_by_processor(now: ProcessorTime, used: float) -> None:
    assert now.since(ProcessorTime(0.0, {}, 4)) == used
