# SPDX-License-Identifier: MIT


import pytest
from tests.paths import DATA_FOLDER

from threadloom.backends.nvcc.cubin import function_names, symbol_of

CUBIN = (DATA_FOLDER / "nvcc" / "names.cubin").read_bytes()
"""Made by nvcc 13.0 of ``names.cu`` beside it."""


@pytest.mark.parametrize(
    ("entry", "symbol"),
    [
        ("plain", "plain"),
        ("k", "_Z1kPf"),
        ("k1", "_Z2k1Pf"),
        ("templated", "_Z9templatedIfEvPT_"),
        ("nested", "_ZN5outer5inner6nestedEPf"),
        ("other", "_ZN6nested5otherEPf"),
        ("calls", "_Z5callsPf"),
    ],
)
def test_kernels_are_found_by_their_name_in_the_source(entry: str, symbol: str) -> None:
    assert symbol_of(entry, CUBIN) == symbol


@pytest.mark.parametrize("entry", ["missing", "kk", "inner", "outer", "call", ""])
def test_what_is_no_kernel_is_not_found(entry: str) -> None:
    assert symbol_of(entry, CUBIN) is None


def test_lists_every_function() -> None:
    assert {"plain", "_Z1kPf", "_Z5callsPf"} <= set(function_names(CUBIN))
