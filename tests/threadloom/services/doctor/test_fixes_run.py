# SPDX-License-Identifier: MIT
"""Fixes of real runs, applied and run again: the kernel then agrees with NumPy."""

from typing import Any

import pytest

from threadloom.model.apply_fix import apply_fix
from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.run import Run
from threadloom.services.dispatcher import Executor
from threadloom.services.doctor import verdict
from threadloom.services.messages.run import RunRequest
from threadloom_kernels import discover, read_source

Listener = Any  # of conftest.py


def edited(operation: str, variant: str, old: str, new: str) -> str:
    """A variant's source with a fault put in."""
    found = discover()[operation]
    source = read_source(found, variant, "float32")
    assert old in source
    return source.replace(old, new)


def job(operation: str, variant: str, sizes: dict[str, int], **more: Any) -> Job:
    """A job for the emulator."""
    return Job(operation, variant, sizes, engine=EngineChoice.EMULATOR, model="H200", **more)


FAULTS = {
    "half a million threads in a block": (
        job("vector_add", "one_block", {"n": 500_000}, block=Dim3(500_000)),
        "launch-error",
    ),
    "a block for a part of the elements": (
        job("vector_add", "one_block", {"n": 900}, block=Dim3(256)),
        "uncovered",
    ),
    "too few blocks": (
        job("vector_add", "grid", {"n": 1000}, block=Dim3(256), grid=Dim3(3)),
        "uncovered",
    ),
    "a grid that is swapped": (
        job("vector_add", "grid", {"n": 1000}, block=Dim3(1), grid=Dim3(1, 70_000)),
        "launch-error",
    ),
    "a square block for a line": (
        job(
            "vector_add",
            "grid",
            {"n": 1000},
            block=Dim3(16, 16),
            # Rows of a block store different values; a single row stores the right one.
            source=edited("vector_add", "grid", "a[i] + b[i]", "a[i] + b[i] + threadIdx.y"),
        ),
        "race",
    ),
    "a block without threads": (
        job("matmul", "naive", {"m": 30, "n": 40, "k": 20}, block=Dim3(16, 0)),
        "launch-error",
    ),
    "a grid for half of a matrix": (
        job("matrix_add", "grid", {"rows": 50, "cols": 70}, block=Dim3(16, 16), grid=Dim3(5, 2)),
        "uncovered",
    ),
    "a block that the tiles do not have": (
        job("matmul", "shared_tile", {"m": 30, "n": 40, "k": 20}, block=Dim3(32, 32)),
        "launch-error",
    ),
    "no shared memory": (
        job("softmax", "", {"rows": 20, "cols": 50}, shared_bytes=0),
        "out-of-bounds",
    ),
    "no guard": (
        job(
            "vector_add",
            "grid",
            {"n": 1000},
            source=edited("vector_add", "grid", "if (i < n)", ""),
        ),
        "out-of-bounds",
    ),
    "a name that is not CUDA's": (
        job(
            "vector_add",
            "grid",
            {"n": 1000},
            source=edited("vector_add", "grid", "blockDim.x + ", "blockDimx + "),
        ),
        "compile-error",
    ),
    "no semicolon": (
        job(
            "vector_add",
            "grid",
            {"n": 1000},
            source=edited("vector_add", "grid", "threadIdx.x;", "threadIdx.x"),
        ),
        "compile-error",
    ),
}


@pytest.fixture(scope="module")
def executor() -> Executor:
    """One for all tests."""
    return Executor()


def run(executor: Executor, listener: Listener, asked: Job) -> Run:
    """Run observed, without timings."""
    result = executor.answer(RunRequest(asked, timings=False), listener)
    assert isinstance(result, Run)
    return result


@pytest.mark.parametrize("name", FAULTS)
def test_every_fix_of_the_fault_mends_it(executor: Executor, listener: Listener, name: str) -> None:
    asked, word = FAULTS[name]
    result = run(executor, listener, asked)
    assert verdict(result.findings) == word, [str(f.message) for f in result.findings]
    fixes = [fix for f in result.findings if f.verdict == word for fix in f.fixes]
    assert fixes
    for fix in fixes:
        fixed = run(executor, listener, apply_fix(asked, fix, result.source))
        told = [(f.kind, str(f.message)) for f in fixed.findings]
        assert fixed.matches, (fix, told)
        assert verdict(fixed.findings) == "ok", (fix, told)
