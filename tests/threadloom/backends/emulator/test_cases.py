# SPDX-License-Identifier: MIT
"""What the emulator must find in launches that failed for real users."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import CompileError, LaunchError
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import Space, Trace, ViolationKind

FOLDER = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "cases"
CASES = {path.parent.name: json.loads(path.read_text()) for path in FOLDER.glob("*/case.json")}
NEVER_LAUNCHED = {"launch-error", "compile-error"}
RUN = sorted(name for name, case in CASES.items() if case["expect"] not in NEVER_LAUNCHED)


def made(argument: dict[str, Any]) -> Array | np.generic:
    dtype = np.dtype(argument["dtype"])
    if "value" in argument:
        scalar: np.generic = dtype.type(argument["value"])
        return scalar
    count = int(np.prod(argument["shape"]))
    kind, _colon, rest = argument["init"].partition(":")
    if kind == "arange":
        values = np.arange(count)
    elif kind == "values":
        values = np.array([float(part) for part in rest.split(",")])
    else:
        values = np.full(count, {"zeros": 0, "empty": 0, "ones": 1}.get(kind, rest or 0), float)
    array: Array = values.astype(dtype).reshape(argument["shape"])
    return np.asfortranarray(array) if argument.get("order") == "F" else array


def observed(lab: Any, case: dict[str, Any]) -> tuple[Trace, dict[str, Array]]:
    text = (FOLDER / case["id"] / "kernel.cu").read_text()
    compiled = lab.engine.compile(Program(text, case["kernel"]))
    launch = Launch(Dim3.of(case["grid"]), Dim3.of(case["block"]), case.get("shared", 0))
    arguments = {argument["name"]: made(argument) for argument in case["args"]}
    undefined = tuple(a["name"] for a in case["args"] if a.get("init") == "empty")
    seen = lab.engine.trace(compiled, launch, arguments, undefined=undefined)
    return seen.trace, dict(seen.outputs.arrays)


@pytest.mark.parametrize("name", RUN)
def test_a_case_is_counted_exactly(lab: Any, name: str) -> None:
    case = CASES[name]
    trace, arrays = observed(lab, case)
    checked = dict(case.get("checked", {}))
    found: dict[str, Any] = {
        "oob_threads": trace.oob_threads,
        "oob_shared_threads": trace.oob_threads,
        "oob_reads": trace.oob_reads,
        "oob_writes": trace.oob_writes,
        "uninit_shared_reads": trace.uninitialized_reads,
        "uninit_global_reads": trace.uninitialized_reads,
        "barrier_divergence": trace.barrier_divergence,
        "race_shared": any(race.space is Space.SHARED for race in trace.races),
    }
    found["uncovered"] = {n: trace.coverage[n].uncovered for n in checked.get("uncovered", ())}
    found["multi_writer"] = {
        n: trace.coverage[n].multi_writer for n in checked.get("multi_writer", ())
    }
    results = checked.pop("result", {}) | checked.pop("result_first", {})
    assert {key: found[key] for key in checked} == checked
    if "uninit_shared_reads" not in checked:  # else the result is whatever lay in memory
        for array, values in results.items():
            assert arrays[array].ravel()[: len(values)].tolist() == values


@pytest.mark.parametrize("name", RUN)
def test_a_sound_case_raises_nothing(lab: Any, name: str) -> None:
    if CASES[name]["expect"] not in {"ok", "uncovered"}:
        return
    trace, _arrays = observed(lab, CASES[name])
    assert (trace.violations, trace.races, trace.barrier_divergence) == ((), (), 0)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("d01-template-extern-c", 2),
        ("d06-missing-semicolon", 4),
        ("d07-host-function", 5),
        ("a13-static-shared-48k", 3),
    ],
)
def test_what_does_not_compile_says_the_line(lab: Any, name: str, line: int) -> None:
    case = CASES[name]
    with pytest.raises(CompileError) as caught:
        lab.compile((FOLDER / name / "kernel.cu").read_text(), case["kernel"])
    assert caught.value.diagnostics[0].line == line


@pytest.mark.parametrize("name", ["a01-block-2000", "a02-block-product", "a07-zero-grid"])
def test_what_the_engine_cannot_bear_is_refused(lab: Any, name: str) -> None:
    case = CASES[name]
    with pytest.raises(LaunchError):
        observed(lab, case)


def test_a_stray_is_named_with_thread_element_and_line(lab: Any) -> None:
    trace, _arrays = observed(lab, CASES["b02-stencil-edges"])
    first = trace.violations[0]
    assert (first.kind, first.array, first.line) == (ViolationKind.OUT_OF_BOUNDS, "u", 5)
    assert {(v.thread.block.x, v.thread.thread.x, v.index) for v in trace.violations} >= {
        (0, 0, -1)
    }
