# SPDX-License-Identifier: MIT
"""Processor time of another process and of its threads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import psutil


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """Seconds, user and system, that a process has used so far; of programs it started, none."""

    total_s: float = 0.0
    by_thread: Mapping[int, float] = field(default_factory=dict)
    """Of each thread that still runs; empty where the system does not say."""
    cores: int = 1
    """Processors that the process may use."""

    def since(self, earlier: ProcessorTime) -> float:
        """How long the process has run, as if it had had its processors for itself.

        That is the time of the busiest thread, or the time of all threads divided by the number of
        processors if that is more. However many threads compute, it passes at most as fast as the
        wall clock, as fast on an idle machine, and not at all while the process waits.
        """
        busiest = max(
            (used - earlier.by_thread.get(thread, 0.0) for thread, used in self.by_thread.items()),
            default=0.0,
        )
        return max(busiest, (self.total_s - earlier.total_s) / self.cores)


def read(pid: int | None) -> ProcessorTime:
    """Processor time of a process; none if it has ended."""
    if pid is None:
        return ProcessorTime()
    try:
        process = psutil.Process(pid)
        times = process.cpu_times()
        return ProcessorTime(times.user + times.system, _by_thread(process), _cores())
    except psutil.Error:
        return ProcessorTime()


def _by_thread(process: psutil.Process) -> dict[int, float]:
    try:
        return {t.id: t.user_time + t.system_time for t in process.threads()}
    except psutil.AccessDenied:  # macOS tells them to the superuser only
        return {}


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
