# SPDX-License-Identifier: MIT
"""The program itself on the GPU: its command line, sweeps, exports and window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SWEEPS = {
    "bench vector_add": ["bench", "vector_add", "--sizes", "1e3..1e8", "--points", "6"],
    "bench matmul": ["bench", "matmul", "--sizes", "64..4096", "--points", "7"],
}
CASES: dict[str, tuple[list[str], tuple[int, ...]]] = {
    "devices": (["devices"], (0,)),
    "operations": (["operations"], (0,)),
    "run vector_add": (["run", "vector_add", "--size", "n=1000000", "--engine", "gpu"], (0,)),
    "run matmul/shared_tile": (
        [
            *("run", "matmul/shared_tile", "--engine", "gpu"),
            *("--size", "m=200", "--size", "n=170", "--size", "k=150"),
        ],
        (0,),
    ),
    "run one_block too large": (
        [
            *("run", "vector_add/one_block", "--engine", "gpu"),
            *("--size", "n=500000", "--block", "500000"),
        ],
        (1,),
    ),
    "trace vector_add": (
        ["trace", "vector_add", "--size", "n=1000", "--block", "256", "--grid", "3"],
        (0, 1),
    ),
}
"""Arguments, and exit statuses that are right."""
PICTURES = {"matmul": "matmul.png", "vector_add": "vector_add.png"}


def collect(out: Path) -> dict[str, Any]:
    """Call each command as a user would."""
    cases = [_case(name, [*call, "--json"], status) for name, (call, status) in CASES.items()]
    for name, call in SWEEPS.items():
        export = ["--export", str(out / "sweep.svg")] if "vector_add" in name else []
        cases.append(_case(name, [*call, *export, "--json"], (0,)))
    cases += [_picture(operation, out / file) for operation, file in PICTURES.items()]
    wrong = [case for case in cases if not case["ok"]]
    summary = [f"{len(cases)} commands, {len(wrong)} not as expected", *map(_line, cases)]
    return {"cases": cases, "ok": not wrong, "summary": summary}


def _case(name: str, call: list[str], allowed: tuple[int, ...]) -> dict[str, Any]:
    case = _called(name, call)
    try:
        case["json"] = json.loads(case.pop("stdout"))
    except json.JSONDecodeError as error:
        return case | {"ok": False, "words": f"no JSON: {error}"}
    case["ok"] = case["status"] in allowed
    case["words"] = _words(case["json"])
    return case


def _picture(operation: str, file: Path) -> dict[str, Any]:
    case = _called(f"screenshot {operation}", ["screenshot", operation, str(file)])
    size = file.stat().st_size if file.exists() else 0
    return case | {"ok": case["status"] == 0 and size > 20_000, "words": f"{size:,} bytes"}


def _called(name: str, call: list[str]) -> dict[str, Any]:
    begin = time.perf_counter()
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "threadloom", *call]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=surroundings, check=False
        )
    except subprocess.TimeoutExpired:
        return {"case": name, "status": None, "stdout": "", "stderr": "stopped after 60 s"}
    return {
        "case": name,
        "call": call,
        "status": done.returncode,
        "stdout": done.stdout,
        "stderr": done.stderr[-2000:],
        "seconds": time.perf_counter() - begin,
    }


def _words(data: Any) -> str:
    if not isinstance(data, dict):
        return f"{len(data)} entries"
    known = ("engine", "device", "matches", "max_error", "compile_s", "break_even", "coverage")
    said = {key: data[key] for key in known if key in data}
    if "series" in data:
        said["series"] = [(s["label"], s["source"], len(s["points"])) for s in data["series"]]
    return json.dumps(said, default=str)[:400]


def _line(case: dict[str, Any]) -> str:
    word = "" if case["ok"] else f"NOT OK (status {case['status']}) "
    tail = "" if case["ok"] else f" | {case['stderr'][-300:]}"
    return f"{word}{case['case']} {case.get('seconds', 0):.1f} s: {case['words']}{tail}"
