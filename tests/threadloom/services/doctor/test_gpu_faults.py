# SPDX-License-Identifier: MIT
"""What is said of faults, from the words that an H200's driver had for them."""

from __future__ import annotations

import json

import pytest
from tests.paths import DATA_FOLDER
from tests.run_records import diagnosed, launch_context

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.provenance import Engine
from threadloom.services.devices.device_table import find

RECORD = DATA_FOLDER / "gpu" / "faults-h200.json"


def words() -> dict[str, str]:
    cases = json.loads(RECORD.read_text("utf-8"))["cases"]
    return {case["case"]: case["words"] for case in cases}


@pytest.mark.parametrize(
    ("case", "part"), [("wild", "an address outside its arrays"), ("assert", "Assertion failed")]
)
def test_a_failed_kernel_is_one_finding_that_says_what_it_means(case: str, part: str) -> None:
    failure = words()[case].removesuffix(" lost True")
    launch = Launch(Dim3(1), Dim3(32))
    facts = launch_context(find("H200"), launch, engine=Engine.GPU, failure=literal(failure))
    (found,) = [finding for finding in diagnosed(facts) if finding.kind == "kernel-failed"]
    assert part in str(found.message)
    assert failure in str(found.detail)
    assert found.verdict == Verdict.LAUNCH_ERROR


@pytest.mark.parametrize(
    ("case", "launch", "kind"),
    [
        ("block of 2048", Launch(Dim3(1), Dim3(2048)), "block-too-large"),
        ("grid of 0", Launch(Dim3(0), Dim3(32)), "grid-not-positive"),
        ("grid.y of 70000", Launch(Dim3(1, 70000), Dim3(32)), "grid-axis-too-large"),
        ("block.z of 65", Launch(Dim3(1), Dim3(1, 1, 65)), "block-axis-too-large"),
        ("300 KiB of shared memory", Launch(Dim3(1), Dim3(32), 300 * 1024), "shared-memory"),
        ("grid of -1", Launch(Dim3(-1), Dim3(32)), "grid-not-positive"),
    ],
)
def test_what_the_driver_refused_is_told_before_it_is_asked(
    case: str, launch: Launch, kind: str
) -> None:
    assert case in words()
    found = [
        finding
        for finding in diagnosed(launch_context(find("H200"), launch))
        if finding.stops_launch
    ]
    assert any(finding.kind.startswith(kind) for finding in found), [f.kind for f in found]
