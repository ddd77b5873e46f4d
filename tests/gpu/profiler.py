# SPDX-License-Identifier: MIT
"""What NVIDIA's profiler counts for every operation and textbook kernel.

The record holds, for each launch, the counters as ``ncu`` names them. They are of the code that
nvcc makes with its usual optimization, not of the source: what it merges, hoists or leaves out is
not counted.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from tests.corpus.case import Case
from tests.gpu.compile_all import compile_all
from tests.gpu.profiled import profiled_cases

GLOBAL, SHARED = "lsu_mem_global_op", "lsu_mem_shared"
METRICS = (
    *(
        f"l1tex__t_{what}_pipe_{GLOBAL}_{kind}.sum"
        for what in ("requests", "sectors")
        for kind in ("ld", "st", "red", "atom")
    ),
    *(f"l1tex__data_bank_conflicts_pipe_{SHARED}_op_{kind}.sum" for kind in ("ld", "st", "atom")),
    f"l1tex__data_bank_conflicts_pipe_{SHARED}.sum",
    *(f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{kind}.sum" for kind in ("ld", "st", "atom")),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    *(f"smsp__inst_executed_op_global_{kind}.sum" for kind in ("ld", "st", "red")),
    *(f"smsp__inst_executed_op_shared_{kind}.sum" for kind in ("ld", "st", "atom")),
    "smsp__sass_branch_targets.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
)


def collect(out: Path) -> dict[str, Any]:
    """One row a launch."""
    cases = list(profiled_cases())
    refused = compile_all(case.program for case in cases)
    metrics, missing = _known_metrics()
    log = out / "ncu.csv"
    words = _profile(metrics, log)
    found = list(_rows(log)) if log.exists() else []
    rows = [_row(case, seen) for case, seen in zip(cases, found, strict=False)]
    astray = [
        r["name"]
        for r, case in zip(rows, cases, strict=False)
        if not r["kernel"].startswith(case.program.entry)
    ]
    ok = len(found) == len(cases) and not astray and not refused
    summary = [f"{len(cases)} launches, {len(found)} profiled with {len(metrics)} counters"]
    summary += [f"not compiled: {entry}: {text}" for entry, text in refused.items()]
    summary += [f"another kernel came where {name} was expected" for name in astray]
    if missing:
        summary.append(f"this ncu lacks {', '.join(missing)}")
    if not ok:
        summary += words
    return {"ncu": _version(), "flags": _flags(), "rows": rows, "ok": ok, "summary": summary}


def _known_metrics() -> tuple[list[str], list[str]]:
    """The counters that this ncu knows for this GPU, and those that it does not."""
    command = ["ncu", "--query-metrics"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout
    names = {line.split()[0] for line in said.splitlines() if line.strip()}
    if not any(name.startswith("l1tex__") for name in names):
        return list(METRICS), []
    known = [name for name in METRICS if name.removesuffix(".sum") in names]
    return known, [name for name in METRICS if name not in known]


def _profile(metrics: Iterable[str], log: Path) -> list[str]:
    """Run the launches under ncu; the last lines that it wrote."""
    command = [
        *("ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw"),
        *("--target-processes", "application-only", "--log-file", str(log)),
        *("--metrics", ",".join(metrics), sys.executable, "-m", "tests.gpu.profiled"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    return [*done.stdout.splitlines()[-10:], *done.stderr.splitlines()[-10:]]


def _rows(log: Path) -> Iterable[Mapping[str, str]]:
    """The table within what ncu wrote, without the row of units."""
    lines = log.read_text("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        return []
    table = csv.DictReader(line for line in lines[starts[0] :] if line.startswith('"'))
    return [row for row in table if row["ID"].isdigit()]


def _row(case: Case, seen: Mapping[str, str]) -> dict[str, Any]:
    values = {name: np.asarray(value) for name, value in case.values().items()}
    return {
        "name": case.name,
        "kernel": seen["Kernel Name"],
        "source": case.digest,
        "grid": tuple(case.launch.grid),
        "block": tuple(case.launch.block),
        "shared_bytes": case.launch.shared_bytes,
        "arguments": {n: v.item() if v.ndim == 0 else v.shape for n, v in values.items()},
        "counters": {name: number for name, number in _counters(seen) if number},
    }


def _counters(seen: Mapping[str, str]) -> Iterable[tuple[str, int]]:
    """Every counter; those that are 0 need not be recorded."""
    for name, value in seen.items():
        if name in METRICS and value:
            yield name.removesuffix(".sum"), int(float(value.replace(",", "")))


def _version() -> str:
    said = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=False).stdout
    return said.strip().splitlines()[-1] if said.strip() else ""


def _flags() -> list[str]:
    from pycuda.compiler import DEFAULT_NVCC_FLAGS  # type: ignore[import-not-found, unused-ignore]

    return ["--cubin", "-arch=sm_90", *DEFAULT_NVCC_FLAGS]
