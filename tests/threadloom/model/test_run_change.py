# SPDX-License-Identifier: MIT
"""What of a later record comes to the run that is known."""

from __future__ import annotations

import numpy as np
import pytest
from tests.run_records import make_run, with_facts

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Verdict
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.program import Diagnostic, Resources
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Run
from threadloom.model.run_change import EVERY_PART, Part, RunChange, updated
from threadloom.model.severity import Severity
from threadloom.model.trace import Trace
from threadloom.services.devices import device_table

OUTPUTS = {"c": np.ones(4)}


@pytest.fixture
def device() -> DeviceModel:
    return device_table.find("H200")


@pytest.fixture
def known(device: DeviceModel) -> Run:
    run = make_run(
        Job("vector_add", "grid", {"n": 4}), Launch(Dim3(1), Dim3(32)), Engine.EMULATOR, device
    )
    return with_facts(run, outputs=OUTPUTS, trace=Trace({}), resources=Resources(registers=8))


def test_only_the_named_parts_are_taken(known: Run) -> None:
    later = with_facts(known, outputs={}, resources=Resources(registers=16), failure=literal("x"))
    run = updated(known, later, frozenset({Part.COMPILATION}))
    assert run.resources == Resources(registers=16)
    assert (run.outputs, str(run.failure)) == (OUTPUTS, "")


def test_another_blocks_trace_leaves_the_outputs(known: Run) -> None:
    trace = Trace({}, accesses=7)
    run = updated(known, with_facts(known, outputs={}, trace=trace), frozenset({Part.TRACE}))
    assert run.trace is trace
    assert run.outputs is OUTPUTS


def test_findings_come_with_the_failure(known: Run) -> None:
    refusal = Finding(
        "registers", Severity.ERROR, literal("Too many."), verdict=Verdict.LAUNCH_ERROR
    )
    later = with_facts(known, findings=(refusal,), failure=literal("refused"), elapsed_s=2.0)
    run = updated(known, later, frozenset({Part.FINDINGS}))
    assert run.is_refused
    assert (str(run.failure), run.elapsed_s) == ("refused", 2.0)


def test_a_new_run_is_all_new(known: Run) -> None:
    assert RunChange(known).is_new_run
    assert RunChange(known).parts == EVERY_PART
    change = RunChange(known, frozenset({Part.BREAKDOWN}))
    assert not change.is_new_run
    assert change.affects(Part.TRACE, Part.BREAKDOWN)
    assert not change.affects(Part.FINDINGS)


def test_parts_that_did_not_come_about_give_nothing(known: Run) -> None:
    bare = Run(known.job, known.target)
    assert (bare.trace, bare.outputs, bare.timings, bare.resources) == (None, {}, (), None)
    assert bare.matches is None
    assert not bare.launched
    assert not bare.pending


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING])
def test_an_error_says_that_nothing_was_compiled(severity: Severity) -> None:
    compilation = Compilation(diagnostics=(Diagnostic(severity, literal("word")),))
    assert compilation.succeeded is (severity is not Severity.ERROR)
    assert not Compilation(log="no input").succeeded
