# SPDX-License-Identifier: MIT
"""What a real NVIDIA H200 gave, as it was recorded, so that views of a GPU show true figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tests.paths import DATA_FOLDER
from tests.run_records import make_run

from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import Launch
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.timing.breakdown import Breakdown
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.samples import Timing
from threadloom.services.export.converter import from_plain
from threadloom.services.export.read import read_json
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult

DATA = DATA_FOLDER / "gpu"


@cache
def _commands() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((DATA / "commands-h200.json").read_text())["rows"]
    return rows


@cache
def _cases() -> dict[str, dict[str, Any]]:
    cases = json.loads((DATA / "program-h200.json").read_text("utf-8"))["cases"]
    return {case["case"]: case.get("json") for case in cases}


def block_sweep() -> LaunchSweepResult:
    """27 block shapes of the naive matrix product, 1,024 × 1,024."""
    return from_plain(_found("--over block"), LaunchSweepResult)


def variant_sweep() -> LaunchSweepResult:
    """The variants of the matrix product, 1,024 × 1,024."""
    return from_plain(_found("--over variant"), LaunchSweepResult)


def size_sweep(tmp_path: Path, case: str = "bench vector_add") -> SweepResult:
    """A sweep over sizes, by its case in the record of the program."""
    return _read(tmp_path, _cases()[case])


def baseline_sweep(tmp_path: Path) -> SweepResult:
    """Matrix products of two sizes, with every baseline and with frameworks."""
    return _read(tmp_path, _found("--sizes 512..1024"))


def device() -> DeviceModel:
    """The H200 as the driver told it."""
    plain = dict(_cases()["devices"]["gpus"][0])
    plain["provenance"] = Provenance(plain["provenance"])
    for name in ("max_block", "max_grid"):
        plain[name] = Dim3.of(plain[name])
    capability = plain["compute_capability"]
    if isinstance(capability, str):
        plain["compute_capability"] = tuple(int(part) for part in capability.split("."))
    known = {field.name for field in fields(DeviceModel)}
    return DeviceModel(**{key: value for key, value in plain.items() if key in known})


def breakdown_run() -> Run:
    """A vector add of 10,000,000 elements, with every step of its way."""
    found = _found("--journey")
    return _run(10_000_000, found, from_plain(found["breakdown"], Breakdown))


def run_without_breakdown() -> Run:
    """A vector add of 1,000,000 elements."""
    return _run(1_000_000, _cases()["run vector_add"], None)


def _found(words: str) -> dict[str, Any]:
    found: dict[str, Any] = next(r["found"] for r in _commands() if words in r["command"])
    return found


def _read(folder: Path, document: Mapping[str, Any]) -> SweepResult:
    file = folder / "recorded.json"
    file.write_text(json.dumps(document), "utf-8")
    found = read_json(file)
    assert isinstance(found, SweepResult)
    return found


def _run(n: int, found: Mapping[str, Any], breakdown: Breakdown | None) -> Run:
    job = Job("vector_add", "grid", {"n": n}, block=Dim3(256), engine=EngineChoice.GPU)
    return make_run(
        job=job,
        launch=Launch(Dim3(-(-n // 256)), Dim3(256)),
        engine=Engine.GPU,
        device=device(),
        comparisons=(Comparison("c", n, 0, 0.0, 1e-6),),
        outputs={"c": np.zeros(1, np.float32)},
        compile_s=float(found.get("compile_s", 0.7)),
        timings=tuple(from_plain(plain, Timing) for plain in found["timings"].values()),
        kernel_times=from_plain(found["kernel"], KernelTimes),
        breakdown=breakdown,
    )
