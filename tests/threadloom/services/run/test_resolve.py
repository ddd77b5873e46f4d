# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.services.run.resolve import (
    JobError,
    UnknownNameError,
    bare_size,
    find_engine,
    resolve,
)
from threadloom_kernels import discover

JOB = Job("vector_add", "grid", {"n": 1000})


def test_the_rule_fills_what_is_left_open() -> None:
    launch = resolve(replace(JOB, block=Dim3(128))).launch
    assert (launch.grid, launch.block, launch.shared_bytes) == (Dim3(8), Dim3(128), 0)


def test_what_is_chosen_stays() -> None:
    launch = resolve(replace(JOB, block=Dim3(128), grid=Dim3(3), shared_bytes=64)).launch
    assert (launch.grid, launch.block, launch.shared_bytes) == (Dim3(3), Dim3(128), 64)


def test_the_source_has_the_element_type() -> None:
    resolved = resolve(replace(JOB, dtype="f64"))
    assert resolved.dtype == "float64"
    assert resolved.item_bytes == 8
    assert "typedef double real;" in resolved.source


def test_an_edited_source_leaves_the_kernel_open() -> None:
    resolved = resolve(replace(JOB, source="__global__ void mine() {}"))
    assert resolved.entry is None
    assert resolved.source == "__global__ void mine() {}"


@pytest.mark.parametrize(
    ("changes", "name", "known"),
    [
        ({"operation": "vector_ad"}, "vector_ad", "vector_add"),
        ({"variant": "fast"}, "fast", "grid_stride"),
        ({"dtype": "float16"}, "float16", "float64"),
        ({"sizes": {"m": 3}}, "m", "n"),
    ],
)
def test_an_unknown_name_is_named_with_those_that_are_there(
    changes: dict[str, object], name: str, known: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        resolve(replace(JOB, **changes))  # type: ignore[arg-type]
    assert caught.value.name == name
    assert known in caught.value.known
    assert name in str(caught.value)
    assert known in str(caught.value)


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "n is 0"), (-5, "n is -5"), (2**31, "a would have 2,147,483,648 elements")],
)
def test_a_size_that_makes_no_problem_is_an_error(size: int, words: str) -> None:
    with pytest.raises(JobError, match=words):
        resolve(replace(JOB, sizes={"n": size}))


def test_a_bare_size_leaves_a_radius_alone() -> None:
    assert bare_size(discover()["conv2d"], 64) == {"rows": 64, "cols": 64}


def test_an_engine_has_one_of_three_names() -> None:
    assert [find_engine(name) for name in ("auto", "gpu", "emulator")] == list(EngineChoice)
    with pytest.raises(JobError, match=r"engine cpu\..*auto, gpu, emulator"):
        find_engine("cpu")
