# SPDX-License-Identifier: MIT
"""What the readme says of a GPU is what was recorded there, and the recorded checks held."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from threadloom.text import count, duration

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "gpu"
SERIES = ("Kernel, H200", "Kernel and copies, H200", "NumPy", "C loop")


def _record(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    return found


def _rows_of(command: str) -> dict[str, tuple[str, ...]]:
    """Cells by size, worded as in the readme, from the record of a sweep."""
    cases = _record("program-h200.json")["cases"]
    [sweep] = [case["json"] for case in cases if case["case"] == command]
    rows: dict[str, list[str]] = {}
    for label in SERIES:
        [series] = [s for s in sweep["series"] if s["label"].startswith(label)]
        assert series["source"] == "measured"
        for point in series["points"]:
            median = point.get("median_s")
            words = "skipped" if median is None else duration(median)
            rows.setdefault(count(point["size"]), []).append(words)
    return {size: tuple(cells) for size, cells in rows.items()}


def _readme_rows(title: str) -> dict[str, tuple[str, ...]]:
    """Cells by size of the readme's table with this title."""
    text = (ROOT / "README.md").read_text("utf-8")
    table = text[text.index(f"| {title}") :].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {size: tuple(cells) for size, *cells in rows}


@pytest.mark.parametrize(
    ("title", "command"),
    [("vector add", "bench vector_add"), ("matmul/shared_tile", "bench matmul")],
)
def test_the_readme_tells_what_was_recorded(title: str, command: str) -> None:
    told, recorded = _readme_rows(title), _rows_of(command)
    assert told
    for size, cells in told.items():
        assert cells == recorded[size], size


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*-h200*.json")), ids=lambda path: path.stem)
def test_each_record_names_its_machine_and_date(path: Path) -> None:
    machine = json.loads(path.read_text("utf-8"))["machine"]
    assert "H200" in machine["gpu"]
    assert re.match(r"2\d\d\d-\d\d-\d\d", machine["date"])


def test_every_command_did_on_a_gpu_what_it_should() -> None:
    assert _record("program-h200.json")["ok"]
    assert _record("commands-h200.json")["ok"]


def test_times_agreed_with_independent_ones() -> None:
    assert all(holds for _what, holds in _checks("timings-h200.json"))


def _checks(name: str) -> list[tuple[str, bool]]:
    checks = _record(name)["checks"]
    items = checks.items() if isinstance(checks, Mapping) else checks
    return [(str(what), bool(holds)) for what, holds in items]
