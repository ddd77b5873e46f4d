# SPDX-License-Identifier: MIT
"""Our kernel times against graph replay, against nvbench and against another run of our own."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from tests.gpu.workloads import Workload, workloads

CLOSE_SHARE, CLOSE_S = 0.03, 0.3e-6
"""How near two methods have to be: either is enough."""
STEADY_SHARE, STEADY_ABOVE_S = 0.02, 20e-6
"""How near two runs have to be, for kernels longer than this."""


def collect(_out: Path) -> dict[str, Any]:
    """One row for each launch of the plan, with all methods and raw samples."""
    ours, reference, again = (
        _process("threadloom_times"),
        _process("reference"),
        _process("threadloom_times"),
    )
    rows = [_row(load, ours, reference, again) for load in workloads()]
    checks = {
        "warm within 3 % or 0.3 µs of graph replay": all(row["warm_close"] for row in rows),
        "cold within 3 % or 0.3 µs of nvbench": all(row["cold_close"] for row in rows),
        "cold within 3 % or 0.3 µs of launches by CuPy after a flush": all(
            row["cold_close_to_spun"] for row in rows
        ),
        "two runs within 2 % above 20 µs": all(row["steady"] for row in rows),
        "no sample of a throttled GPU": not any(row["throttled"] for row in rows),
    }
    summary = [f"{'yes' if held else 'NO '} {name}" for name, held in checks.items()]
    if "nvbench" in reference:
        summary.append(f"nvbench could not be had: {reference['nvbench']}")
    summary += [_floor(ours), *map(_line, rows)]
    return {"rows": rows, "checks": checks, "ok": all(checks.values()), "summary": summary}


def _process(module: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        command = [sys.executable, "-m", f"tests.gpu.{module}", str(file)]
        done = subprocess.run(command, timeout=100, check=False, capture_output=True, text=True)
        if not file.exists():
            raise RuntimeError(f"{module}: {done.stderr[-1500:]}")
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return found


def _row(
    load: Workload, ours: Mapping[str, Any], reference: Mapping[str, Any], again: Mapping[str, Any]
) -> dict[str, Any]:
    mine, other, second = ours[load.name], reference[load.name], again[load.name]
    warm, cold = mine["warm"]["median_s"], mine["cold"]["median_s"]
    warm_again, cold_again = second["warm"]["median_s"], second["cold"]["median_s"]
    spun = median(other["spun_cold"])
    nvbench = other.get("nvbench_cold_s") or math.nan
    sizes = load.sizes
    return {
        "name": load.name,
        "warm_s": warm,
        "warm_again_s": warm_again,
        "graph_s": other["graph_s"],
        "warm_close": _close(warm, other["graph_s"]),
        "cold_s": cold,
        "cold_again_s": cold_again,
        "nvbench_cold_s": nvbench,
        "cold_close": _close(cold, nvbench),
        "spun_cold_s": spun,
        "cold_close_to_spun": _close(cold, spun),
        "in_stream_s": mine["in_stream"]["median_s"],
        "nvbench_batch_s": other.get("nvbench_batch_s"),
        "steady": _steady(warm, warm_again) and _steady(cold, cold_again),
        "throttled": [name for name in ("warm", "cold") if mine[name]["throttling"]],
        "gb_per_s": load.operation.bytes_moved(sizes, 4) / warm / 1e9,
        "gflop_per_s": load.operation.flops(sizes) / warm / 1e9,
        "ours": mine,
        "reference": other,
    }


def _close(one: float, other: float) -> bool:
    off = abs(one - other)
    return off <= CLOSE_S or off <= CLOSE_SHARE * other


def _steady(one: float, other: float) -> bool:
    return max(one, other) <= STEADY_ABOVE_S or abs(one - other) <= STEADY_SHARE * one


def _floor(ours: Mapping[str, Any]) -> str:
    first = next(iter(ours.values()))
    warm, cold = first["empty"]["median_s"], first["empty_cold"]["median_s"]
    return f"empty kernel: warm {warm * 1e6:.2f} µs, cold {cold * 1e6:.2f} µs"


def _line(row: Mapping[str, Any]) -> str:
    def us(name: str) -> str:
        return f"{(row[name] or math.nan) * 1e6:9.2f}"

    marks = "".join(
        mark
        for name, mark in (("warm_close", "W"), ("cold_close", "C"), ("steady", "S"))
        if not row[name]
    )
    return (
        f"{row['name']:<24} warm {us('warm_s')} graph {us('graph_s')} again {us('warm_again_s')}"
        f" | cold {us('cold_s')} nvbench {us('nvbench_cold_s')} CuPy {us('spun_cold_s')} "
        f"again {us('cold_again_s')}"
        f" | stream {us('in_stream_s')} nvbench batch {us('nvbench_batch_s')} µs {marks}"
    )
