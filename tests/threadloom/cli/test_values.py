# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import pytest

from threadloom.cli.console import finite
from threadloom.cli.values import OptionError, read_dims, read_named_sizes
from threadloom.model.dim3 import Dim3
from threadloom_kernels import discover

OPERATIONS = discover()


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("256", Dim3(256)),
        ("16,16", Dim3(16, 16)),
        ("16x16", Dim3(16, 16)),
        ("8 × 8 × 4", Dim3(8, 8, 4)),
        ("(16, 16, 1)", Dim3(16, 16, 1)),
        ("(256,)", Dim3(256)),
        ("1_024", Dim3(1024)),
        ("0", Dim3(0)),
        ("-1,2", Dim3(-1, 2)),
        ("2147483648", Dim3(2**31)),
    ],
)
def test_extents_as_people_write_them(text: str, dims: Dim3) -> None:
    assert read_dims("--block", text) == dims


@pytest.mark.parametrize("text", ["", "a", "1.5", "1,2,3,4", "16,,16", "1e3", "256 threads"])
def test_what_cannot_be_read_names_option_and_value(text: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_dims("--grid", text)
    assert "--grid" in str(caught.value)
    assert text in str(caught.value)


def test_no_extents() -> None:
    assert read_dims("--block", None) is None


def test_sizes_by_axis_and_bare_ones() -> None:
    matmul = OPERATIONS["matmul"]
    assert read_named_sizes(["m=200", "n=1e2,k=5"], matmul) == {"m": 200, "n": 100, "k": 5}
    assert read_named_sizes(["512"], matmul) == {"m": 512, "n": 512, "k": 512}
    assert read_named_sizes(["512", "k = 3"], matmul) == {"m": 512, "n": 512, "k": 3}


@pytest.mark.parametrize("text", ["q=3", "n=", "n=x", "=5x", "n=0", "n==2"])
def test_a_size_that_cannot_be_read(text: str) -> None:
    with pytest.raises(OptionError, match="--size"):
        read_named_sizes([text], OPERATIONS["vector_add"])


def test_json_gets_no_nan() -> None:
    value = {"a": [1.0, math.nan, (math.inf, -math.inf)], "b": {"c": 2}}
    assert finite(value) == {"a": [1.0, None, [None, None]], "b": {"c": 2}}
