# SPDX-License-Identifier: MIT
"""Everything that needs a real GPU, in one go: ``python3 -m tests.gpu.run_all [PART …]``.

On a machine without the project's environment, from its root, with the source roots on the path:
``PYTHONPATH=$PWD/app:$PWD/kernels:$PWD/assets:$PYTHONPATH python3 -m tests.gpu.run_all``.

Each part runs in a child with a deadline and writes one JSON file into ``$OUT`` (or ``.``); a part
that fails or hangs does not stop the others. A short table comes last.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.gpu.machine import machine

DEADLINES = {
    "timings": 220,
    "timeline": 190,
    "copies": 90,
    "baselines": 90,
    "operations": 150,
    "occupancy": 45,
    "faults": 50,
    "divisions": 30,
    "program": 120,
    "commands": 90,
    "window": 300,
}
"""Seconds that each part may take; together usually some five minutes."""
ALONE = {"profiler": 280, "kernels": 400, "fuzz": 90}
"""Parts that run only when they are named."""
CHILD = "--child"


def main(arguments: list[str]) -> int:
    """Run the named parts, or all; 0 if every check held."""
    out = Path(os.environ.get("OUT", "."))
    out.mkdir(parents=True, exist_ok=True)
    if arguments[:1] == [CHILD]:
        return _child(arguments[1], out)
    begin = time.perf_counter()
    results = {part: _run(part, out) for part in arguments or DEADLINES}
    print("\n".join(_table(results)), flush=True)
    print(f"{time.perf_counter() - begin:.0f} s in all")
    return 0 if all(result["ok"] for result in results.values()) else 1


def _run(part: str, out: Path) -> Mapping[str, Any]:
    begin = time.perf_counter()
    file = out / f"{part}.json"
    file.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.gpu.run_all", CHILD, part]
    try:
        done = subprocess.run(command, timeout=(DEADLINES | ALONE)[part], check=False)
        words = f"exit status {done.returncode}"
    except subprocess.TimeoutExpired:
        words = f"stopped after {(DEADLINES | ALONE)[part]} s"
    taken = time.perf_counter() - begin
    if not file.exists():
        return {"ok": False, "summary": [words], "seconds": taken}
    data = json.loads(file.read_text("utf-8"))
    return {"ok": data["ok"], "summary": data["summary"], "seconds": taken}


def _child(part: str, out: Path) -> int:
    module = importlib.import_module(f"tests.gpu.{part}")
    report: dict[str, Any] = {"machine": machine(), "ok": False, "summary": []}
    try:
        report |= module.collect(out)
    except Exception:  # noqa: BLE001 - whatever it is, it is reported and the others go on
        report["error"] = traceback.format_exc()
        report["summary"] = [report["error"].strip().splitlines()[-1]]
    (out / f"{part}.json").write_text(_lines(report), "utf-8")
    return 0 if report["ok"] else 1


def _lines(report: Mapping[str, Any]) -> str:
    """JSON with one line for each entry, and for each row of a list."""
    parts = []
    for key, value in report.items():
        text = json.dumps(value, default=str)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(json.dumps(row, default=str) for row in value) + "\n]"
        parts.append(f"{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _table(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = ["", "== GPU checks"]
    for part, result in results.items():
        word = "ok" if result["ok"] else "FAILED"
        lines.append(f"{part:<12} {word:<7} {result['seconds']:6.1f} s")
        lines += [f"    {line}" for line in result["summary"]]
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
