# SPDX-License-Identifier: MIT
"""Verdicts, counts and fixes of cases: what real users's launches look like when they go wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.paths import DATA_FOLDER
from tests.threadloom.services.conftest import Listener

from threadloom.backends.nvcc import device_compiler
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Verdict
from threadloom.model.severity import Severity
from threadloom.services.devices.device_table import find
from threadloom.services.doctor.cases import (
    Case,
    CaseArgument,
    CheckRequest,
    CheckResult,
    check_case,
    read_case,
)
from threadloom.services.worker_entry import handle

DATA = DATA_FOLDER
CASES = [folder for name in ("cases", "cases-more") for folder in sorted((DATA / name).iterdir())]
NOT_YET = (
    {"a11-registers-1024": "neither NVRTC nor nvcc is here to tell registers"}
    if device_compiler() is None
    else {}
)
"""Cases whose verdict is not right, and why."""

WRONG_WHATEVER_THE_LAUNCH = {
    "b39-griddim-for-blockdim",
    "b40-3d-plane-size",
    "b110-borders-left-out",
}
"""Cases that leave elements out by what their source says."""


def answer_to(case: Case) -> CheckResult:
    """The worker's answer, without a child process."""
    answer = handle(CheckRequest(case, find("H200")), Listener())
    assert isinstance(answer, CheckResult)
    return answer


@cache
def result_of(folder: Path) -> CheckResult:
    """The result of a case, without a child process."""
    return answer_to(read_case(folder))


@cache
def content_of(folder: Path) -> dict[str, Any]:
    """What the case says of itself."""
    content: dict[str, Any] = json.loads((folder / "case.json").read_text())
    return content


def cases(*keys: str) -> list[Any]:
    """Cases that state one of these figures, or all."""
    found = [f for f in CASES if not keys or set(keys) & set(content_of(f).get("checked", {}))]
    return [
        pytest.param(
            folder,
            id=folder.name,
            marks=[pytest.mark.xfail(reason=NOT_YET[folder.name])]
            if folder.name in NOT_YET
            else [],
        )
        for folder in found
    ]


@pytest.mark.parametrize("folder", cases())
def test_the_verdict_is_the_first_thing_to_say(folder: Path) -> None:
    result = result_of(folder)
    told = [(f.kind, f.verdict, str(f.message)) for f in result.findings]
    assert result.verdict == content_of(folder)["expect"], told


@pytest.mark.parametrize("folder", cases())
def test_what_is_right_raises_no_alarm(folder: Path) -> None:
    if content_of(folder)["expect"] == "ok":
        severities = {finding.severity for finding in result_of(folder).findings}
        assert severities <= {Severity.NOTE, Severity.PASSED}
    else:
        worst = result_of(folder).findings[0]
        assert worst.severity in {Severity.ERROR, Severity.WARNING}
        assert worst.message


@pytest.mark.parametrize("folder", cases("uncovered", "multi_writer"))
def test_coverage(folder: Path) -> None:
    checked, trace = content_of(folder)["checked"], result_of(folder).trace
    assert trace is not None
    for name, left in checked.get("uncovered", {}).items():
        assert trace.coverage[name].uncovered == left
    for name, several in checked.get("multi_writer", {}).items():
        assert trace.coverage[name].multi_writer == several


@pytest.mark.parametrize(
    "folder", cases("oob_threads", "oob_shared_threads", "oob_reads", "oob_writes")
)
def test_accesses_out_of_bounds(folder: Path) -> None:
    checked, trace = content_of(folder)["checked"], result_of(folder).trace
    assert trace is not None
    seen = {
        "oob_threads": trace.oob_threads,
        "oob_shared_threads": trace.oob_threads,
        "oob_reads": trace.oob_reads,
        "oob_writes": trace.oob_writes,
    }
    assert {key: seen[key] for key in seen if key in checked} == {
        key: checked[key] for key in seen if key in checked
    }


@pytest.mark.parametrize("folder", cases("barrier_divergence", "race_shared"))
def test_waiting(folder: Path) -> None:
    checked, trace = content_of(folder)["checked"], result_of(folder).trace
    assert trace is not None
    if "barrier_divergence" in checked:
        assert trace.barrier_divergence == checked["barrier_divergence"]
    if "race_shared" in checked:
        races = [race for race in trace.races if race.space == "shared"]
        assert bool(races) == bool(checked["race_shared"])


@pytest.mark.parametrize("folder", cases("uninit_shared_reads", "uninit_global_reads"))
def test_uninitialized_reads(folder: Path) -> None:
    checked, trace = content_of(folder)["checked"], result_of(folder).trace
    assert trace is not None
    wanted = checked.get("uninit_shared_reads", checked.get("uninit_global_reads"))
    assert trace.uninitialized_reads == wanted


@pytest.mark.parametrize(
    "folder",
    # What this one reads is whatever was in shared memory before.
    [f for f in cases("result", "result_first") if f.id != "b19-shared-tail-uninit"],
)
def test_results(folder: Path) -> None:
    checked, outputs = content_of(folder)["checked"], result_of(folder).outputs
    for name, values in {**checked.get("result", {}), **checked.get("result_first", {})}.items():
        assert np.ravel(outputs[name])[: len(values)].tolist() == values


@pytest.mark.parametrize(
    "folder",
    [
        f
        for f in CASES
        if content_of(f)["expect"] == "uncovered" and f.name not in WRONG_WHATEVER_THE_LAUNCH
    ],
    ids=lambda f: f.name,
)
def test_what_is_left_out_has_a_launch_that_reaches_it(folder: Path) -> None:
    launches = [fix for f in result_of(folder).findings for fix in f.fixes if fix.grid or fix.block]
    assert launches


def test_a_case_is_checked_in_a_child() -> None:
    folder = next(f for f in CASES if f.name.startswith("b01"))
    result = check_case(folder)
    assert result.verdict == Verdict.OUT_OF_BOUNDS
    assert result.trace is not None
    assert result.run.elapsed_s > 0


def test_a_kernel_that_never_ends_is_a_finding_with_its_line_and_thread() -> None:
    source = """__global__ void k(int *x) {
    int i = threadIdx.x;
    if (i == 5)
        while (atomicAdd(x + 63, 0) == 0) {}
    x[i] = 1;
}"""
    arguments = (CaseArgument("x", "int*", "int32", (64,), "inout", "zeros"),)
    result = check_case(Case("", "k", source, arguments, (32, 1, 1), (2, 1, 1)), limit_s=0.5)
    (finding,) = (f for f in result.findings if f.severity is Severity.ERROR)
    assert (result.verdict, finding.kind) == ("launch-error", "endless")
    assert str(finding.message) == "Timeout: the kernel ran longer than 500 ms and was stopped."
    assert finding.where.line == 4
    assert finding.where.thread == Dim3(5, 0, 0)


def test_a_launch_that_is_just_long_blames_no_thread() -> None:
    source = """__global__ void k(float *x) {
    float s = x[0];
    for (int i = 0; i < 20000; ++i) s = s * 0.5f + 1.0f;
    if (s < 0) x[0] = s;
}"""
    arguments = (CaseArgument("x", "float*", "float32", (32,), "inout", "ones"),)
    result = check_case(Case("", "k", source, arguments, (32, 1, 1), (10**7, 1, 1)), limit_s=0.5)
    (finding,) = (f for f in result.findings if f.severity is Severity.ERROR)
    assert (result.verdict, finding.kind) == ("launch-error", "too-long")
    assert finding.where.line is None


def test_a_barrier_is_offered_where_it_was_seen_to_help() -> None:
    result = result_of(next(f for f in CASES if f.name.startswith("b18")))
    (fix,) = [fix for finding in result.findings for fix in finding.fixes]
    assert str(fix.title) == "Add `__syncthreads()` after line 13"
    result = result_of(next(f for f in CASES if f.name.startswith("b22")))
    assert not [fix for finding in result.findings for fix in finding.fixes]
