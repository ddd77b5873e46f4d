# SPDX-License-Identifier: MIT
"""Threadloom's own times of the corpus: ``python -m tests.gpu.threadloom_times FILE``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.gpu.workloads import Workload, workloads

from threadloom.backends.cuda import CudaBackend
from threadloom.model.timing.samples import Samples, StoppingCriterion

RULE = StoppingCriterion(min_samples=20, max_samples=200, relative_target=0.005, time_limit_s=0.2)


def main(file: Path) -> None:
    """Write one entry for each launch of the plan."""
    backend = CudaBackend(0)
    found = {load.name: _timed(backend, load) for load in workloads()}
    file.write_text(json.dumps(found), "utf-8")


def _timed(backend: CudaBackend, load: Workload) -> dict[str, Any]:
    compiled = backend.compile(load.program)
    times = backend.time(compiled, load.launch, load.values(), RULE)
    named = {
        "warm": times.kernel,
        "cold": times.kernel_cold,
        "in_stream": times.in_stream,
        "empty": times.empty,
        "empty_cold": times.empty_cold,
        "copy_in": times.h2d,
        "copy_out": times.d2h,
    }
    return {"first_launch_s": times.first_launch_s} | {
        name: _samples(samples) for name, samples in named.items() if samples is not None
    }


def _samples(samples: Samples) -> dict[str, Any]:
    states = samples.gpu_states
    return {
        "median_s": samples.median_s,
        "seconds": [float(f"{second:.6g}") for second in samples.seconds],
        "rule_met": samples.converged,
        "method": str(samples.method),
        "dropped": samples.dropped,
        "sm_clock_mhz": states and states.sm_clock_mhz,
        "temperature_c": states and states.temperature_c,
        "throttling": states and states.throttling,
        "last_reading": states and asdict(states.states[-1]),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
