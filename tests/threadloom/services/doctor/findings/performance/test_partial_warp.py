# SPDX-License-Identifier: MIT
"""Blocks whose last warp is not full, for every kind of block and launch."""

from __future__ import annotations

import pytest
from tests.run_records import context_with, launch_context

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation
from threadloom.model.severity import Severity
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.findings.performance.partial_warp import find


@pytest.fixture
def facts(h200: DeviceModel, line: Operation) -> DiagnosticContext:
    return launch_context(
        h200,
        Launch(Dim3(10), Dim3(100)),
        operation=line,
        variant=line.variant("grid"),
        sizes={"n": 1000},
    )


@pytest.mark.parametrize("threads", [32, 64, 992, 1024])
def test_full_warps_are_no_finding(facts: DiagnosticContext, threads: int) -> None:
    assert list(find(context_with(facts, launch=Launch(Dim3(32), Dim3(threads))))) == []


@pytest.mark.parametrize(("threads", "idle"), [(1, 31), (31, 1), (33, 31), (100, 28), (1023, 1)])
def test_the_idle_lanes_are_counted(facts: DiagnosticContext, threads: int, idle: int) -> None:
    (finding,) = find(context_with(facts, launch=Launch(Dim3(1000), Dim3(threads))))
    assert finding.kind == "partial-warp"
    assert finding.numbers == {"threads": threads, "idle_lanes": idle}
    assert str(idle) in str(finding.detail)
    assert finding.control == "block.x"
    assert not finding.stops_launch


def test_the_threads_of_all_axes_count(facts: DiagnosticContext) -> None:
    assert list(find(context_with(facts, launch=Launch(Dim3(10), Dim3(8, 4))))) == []
    (finding,) = find(context_with(facts, launch=Launch(Dim3(10), Dim3(8, 5))))
    assert finding.numbers == {"threads": 40, "idle_lanes": 24}
    assert finding.fixes == ()


def test_the_fix_fills_the_last_warp_and_covers_all(facts: DiagnosticContext) -> None:
    (finding,) = find(facts)
    (fix,) = finding.fixes
    assert (str(fix.title), fix.block, fix.grid) == ("Use 128 threads", Dim3(128), Dim3(8))


def test_a_launch_that_is_refused_gets_no_advice_on_its_warps(facts: DiagnosticContext) -> None:
    assert list(find(context_with(facts, launch=Launch(Dim3(1), Dim3(1025))))) == []
    assert list(find(context_with(facts, launch=Launch(Dim3(0), Dim3(100))))) == []


def test_a_kernel_without_an_operation_gets_a_note_and_no_fix(h200: DeviceModel) -> None:
    (finding,) = find(launch_context(h200, Launch(Dim3(10), Dim3(100))))
    assert finding.severity is Severity.NOTE
    assert finding.fixes == ()


def test_of_an_operation_it_is_a_warning(facts: DiagnosticContext) -> None:
    (finding,) = find(facts)
    assert finding.severity is Severity.WARNING
