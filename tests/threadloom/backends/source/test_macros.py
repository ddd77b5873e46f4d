# SPDX-License-Identifier: MIT
"""Macros of the command line, and constants that are made of them."""

import pytest

from threadloom.backends.source import macros_of, parse
from threadloom.backends.source.integer_constant import constant


@pytest.mark.parametrize(
    ("options", "macros"),
    [
        (["-DN=4", "-O3", "-D", "M"], {"N": "4", "M": "1"}),
        (["--define-macro=N=2 + 3"], {"N": "2 + 3"}),
        (["-DF(x)=x*2"], {"F(x)": "x*2"}),
        (["-D"], {}),
        (["-D4=3", "-DX=1\n#include <a>"], {"X": "1 #include <a>"}),
    ],
)
def test_macros_are_read(options: list[str], macros: dict[str, str]) -> None:
    assert macros_of(options) == macros


@pytest.mark.parametrize(
    ("written", "value"),
    [("BX * BY", 128), ("BX", 16), ("BX / 3", 5), ("C", None), ("BX BY", None), ("LOOP", None)],
)
def test_constants(written: str, value: int | None) -> None:
    assert constant(written, {"BX": "16", "BY": "(4 + 4)", "LOOP": "LOOP + 1"}) == value


def test_a_macro_is_its_text_and_no_value() -> None:
    macros = {"SUM": "4 + 4", "MASK": "0x10u", "TWICE": "(SUM * 2)"}
    assert constant("SUM * 2", macros) == 12
    assert constant("TWICE", macros) == 12
    assert constant("MASK - 17", macros) == 4_294_967_295


def test_a_kernel_sees_the_command_lines_macros() -> None:
    text = "__global__ void __launch_bounds__(B) k() {}"
    assert parse(text, {"B": "64"}).kernels[0].launch_bounds == 64
    assert parse(text).kernels[0].launch_bounds is None
