# SPDX-License-Identifier: MIT
"""Our verdict on 2,000 random launches against what an H200's driver did with each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.corpus.launches import SOURCE, FuzzedLaunch, fuzzed_launches
from tests.gpu.fuzz import COUNT, SEED
from tests.run_records import diagnosed, launch_context

from threadloom.backends.source import parse
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Resources
from threadloom.model.provenance import Provenance
from threadloom_kernels import discover

FOLDER = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"


@pytest.fixture(scope="module")
def record() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((FOLDER / "fuzz-h200.json").read_text("utf-8"))
    return found


def device_of(record: Mapping[str, Any]) -> DeviceModel:
    """The GPU's own limits, as its driver stated them."""
    said = record["device"]
    return DeviceModel(
        **said
        | {
            "compute_capability": tuple(said["compute_capability"]),
            "max_block": Dim3(**said["max_block"]),
            "max_grid": Dim3(**said["max_grid"]),
            "provenance": Provenance(said["provenance"]),
        }
    )


def launches_of(record: Mapping[str, Any]) -> dict[FuzzedLaunch, bool]:
    """Each launch, and whether the driver refused it."""
    return {
        FuzzedLaunch(kernel, Launch(Dim3(*grid), Dim3(*block), shared), n, bool(plain)): words >= 0
        for kernel, plain, grid, block, shared, n, words in record["rows"]
    }


def test_the_record_is_of_these_launches(record: Mapping[str, Any]) -> None:
    assert record["machine"]["gpu"] == "NVIDIA H200"
    assert record["source"] == SOURCE
    assert len(record["rows"]) == COUNT
    planned = list(fuzzed_launches(COUNT, SEED))
    assert list(launches_of(record)) == list(dict.fromkeys(planned))
    refused = sum(words >= 0 for *_rest, words in record["rows"])
    assert 0.3 < refused / COUNT < 0.7


@pytest.mark.parametrize("told", ["by the driver", "by its registers"])
def test_our_verdict_is_the_drivers(record: Mapping[str, Any], told: str) -> None:
    """The largest block for a kernel's registers is the driver's word, or worked out from them."""
    device, parsed = device_of(record), parse(SOURCE)
    resources = {name: Resources(**found) for name, found in record["resources"].items()}
    if told == "by its registers":
        resources = {n: replace(r, max_threads_per_block=None) for n, r in resources.items()}
    operation = discover()["vector_add"]  # any: the engine then sets the attribute for its memory
    wrong = []
    for launched, refused in launches_of(record).items():
        facts = launch_context(
            device,
            launched.launch,
            operation=None if launched.plain else operation,
            source=SOURCE,
            signature=parsed.kernel(launched.kernel),
            resources=resources[launched.kernel],
        )
        stopping = [finding.kind for finding in diagnosed(facts) if finding.stops_launch]
        if bool(stopping) != refused:
            wrong.append((launched, "refused" if refused else "ran", stopping))
    assert wrong == []
