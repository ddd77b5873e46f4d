# SPDX-License-Identifier: MIT
"""What has no defined result: divisions, variables without a value, strays inside a library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.model.severity import Severity
from threadloom.model.trace import ViolationKind

TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}


RECORD = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"
RECORDED = json.loads((RECORD / "divisions-h200.json").read_text("utf-8"))["rows"]
SOURCE = """\
__global__ void k({kind} *q, {kind} *r, const {kind} *a, const {kind} *b) {{
    int i = threadIdx.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}}
"""


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: str(row["kind"]))
def test_a_division_without_a_result_gives_what_a_gpu_gives(lab: Any, row: dict[str, Any]) -> None:
    dtype = TYPES[row["kind"]]
    a, b = (np.array([pair[side] for pair in row["pairs"]], dtype) for side in (0, 1))
    given = {"q": np.zeros_like(a), "r": np.zeros_like(a), "a": a, "b": b}
    text, block = SOURCE.format(kind=row["kind"]), (len(a),)
    observed = lab.engine.trace(lab.compile(text), lab.launch((1,), block), given).outputs
    for outputs in (lab.run(text, (1,), block, **given), observed):
        assert outputs.arrays["q"].tolist() == row["quotients"]
        assert outputs.arrays["r"].tolist() == row["rests"]


@pytest.mark.parametrize("kind", TYPES)
def test_a_division_by_zero_is_told_and_the_others_are_right(lab: Any, kind: str) -> None:
    dtype, text = TYPES[kind], SOURCE.format(kind=kind)
    a, b = np.arange(100, 132, dtype=dtype), np.ones(32, dtype) * 7
    b[[5, 9]] = 0
    given = {"q": np.zeros(32, dtype), "r": np.zeros(32, dtype), "a": a, "b": b}
    right = b != 0
    arrays = lab.run(text, (1,), (32,), **given).arrays
    assert (arrays["q"][right] == a[right] // 7).all()
    assert (arrays["r"][right] == a[right] % 7).all()
    violations = lab.trace(text, (1,), (32,), **given).violations
    assert {(v.kind, v.thread.thread.x, v.threads) for v in violations} == {
        (ViolationKind.DIVISION, 5, 2)
    }
    assert {v.line for v in violations} <= {3, 4}
    assert violations[0].line == 3


def test_the_smallest_number_by_minus_one(lab: Any) -> None:
    text = """__global__ void k(int *q, const int *b) {
    q[threadIdx.x] = q[threadIdx.x] / b[threadIdx.x];
}"""
    q, b = np.full(2, -(2**31), np.int32), np.array([-1, 2], np.int32)
    assert lab.run(text, (1,), (2,), q=q, b=b).arrays["q"].tolist() == [-(2**31), -(2**30)]
    (violation,) = lab.trace(text, (1,), (2,), q=q, b=b).violations
    assert (violation.kind, violation.line, violation.thread.thread.x) == (
        ViolationKind.DIVISION,
        2,
        0,
    )


def test_a_variable_without_a_value_is_told(lab: Any) -> None:
    text = """__global__ void k(int *x) {
    int s;
    s += x[threadIdx.x];
    x[threadIdx.x] = s;
}"""
    (told,) = lab.compile(text).diagnostics
    assert (told.severity, told.line) == (Severity.WARNING, 3)
    assert str(told.message) == 'variable "s" is used before its value is set'


def test_a_wild_copy_in_a_plain_run_names_its_line(lab: Any) -> None:
    text = """__global__ void k(char *x, int n) {
    if (n > 3)
        memcpy(x + 100000000, x, n);
    x[0] = 1;
}"""
    with pytest.raises(LaunchError, match="line 3"):
        lab.run(text, (1,), (1,), x=np.zeros(4096, np.int8), n=np.int32(4096))


def test_races_are_found_among_any_number_of_elements(lab: Any) -> None:
    text = """__global__ void k(int *x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += i;
    if (threadIdx.x == 40) x[n - 1] = 5;
}"""
    n = 150_000
    trace = lab.trace(text, (1,), (256,), x=np.zeros(n, np.int32), n=np.int32(n))
    assert trace.unchecked == 0
    assert {(r.index, r.line) for r in trace.races} <= {(n - 1, 5), (n - 1, 4)}
    assert trace.races
