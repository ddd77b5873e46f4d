# SPDX-License-Identifier: MIT
"""Commands that only a GPU fills: the whole way, and sweeps over launches."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from threadloom.backends.cuda import find_gpus

RUN = ["run", "vector_add", "--size", "n=10000000", "--engine", "gpu", "--breakdown", "--json"]
BLOCKS = ["bench", "matmul/naive", "--size", "1024", "--engine", "gpu", "--over", "block"]
VARIANTS = ["bench", "matmul", "--size", "1024", "--engine", "gpu", "--over", "variant"]
BASELINES = ["bench", "matmul", "--sizes", "512..1024", "--points", "2", "--engine", "gpu"]


def collect(_out: Path) -> dict[str, Any]:
    """What the commands print, and whether it is whole."""
    breakdown, blocks, variants = (
        _json(RUN),
        _json([*BLOCKS, "--json"]),
        _json([*VARIANTS, "--json"]),
    )
    steps = breakdown.get("breakdown") or {}
    checks = {
        "the way through the GPU has every step": bool(steps.get("pinned"))
        and breakdown["matches"],
        "kernel times have rates": "warm_rates" in (breakdown.get("kernel") or {}),
    }
    for name, swept in (("block", blocks), ("variant", variants)):
        points = swept.get("points", [])
        checks[f"every {name} is measured and right"] = bool(points) and all(
            point["source"] == "measured" and point["matches"] for point in points
        )
    baselines = _json([*BASELINES, "--all-baselines", "--json"])
    labels = [series["label"] for series in baselines.get("series", [])]
    checks["a framework's times stand beside the kernel's"] = any(
        label.startswith(("CuPy", "PyTorch")) for label in labels
    )
    checks["clocks are kept with the samples"] = any(
        "gpu_states" in point
        for series in baselines.get("series", [])
        for point in series["points"]
    )
    if len(find_gpus()) > 1:
        spread = _json([*BLOCKS, "--devices", "all", "--json"]).get("points", [])
        checks["several GPUs share a sweep"] = len(spread) == len(blocks["points"])
    return {
        "rows": [
            {"command": " ".join(RUN), "found": _thin(breakdown)},
            {"command": " ".join(BLOCKS), "found": blocks},
            {"command": " ".join(VARIANTS), "found": variants},
            {"command": " ".join(BASELINES), "found": baselines},
        ],
        "checks": checks,
        "ok": all(checks.values()),
        "summary": [
            *(f"{'yes' if held else 'NO '} {name}" for name, held in checks.items()),
            *_text([*BLOCKS]),
            *_text([*VARIANTS]),
            *_text([*BASELINES, "--all-baselines"]),
        ],
    }


def _thin(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found.get(name) for name in ("kernel", "breakdown", "timings", "verdict")}


def _json(arguments: list[str]) -> dict[str, Any]:
    done = _called(arguments)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": done.stderr[-2000:], "matches": False}
    return found


def _text(arguments: list[str]) -> list[str]:
    done = _called(arguments)
    return (done.stdout or done.stderr[-1000:]).splitlines()[:40]


def _called(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "threadloom", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
