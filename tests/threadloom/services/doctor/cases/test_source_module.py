# SPDX-License-Identifier: MIT
"""What SourceModule and nvcc are asked for, and what they refuse of it."""

from typing import Any

import pytest

from threadloom.services.devices.device_table import find
from threadloom.services.doctor.cases import Case
from threadloom.services.doctor.cases.nvcc_flags import refused_flags
from threadloom.services.doctor.cases.source_module import read_flags, read_options


@pytest.mark.parametrize(
    ("value", "no_extern_c", "flags"),
    [
        (None, False, ()),
        ("no_extern_c=True", True, ()),
        ("no_extern_c=False", False, ()),
        ({"no_extern_c": True, "options": ["-O3"]}, True, ("-O3",)),
        (
            "options=['-DN=4', '-lineinfo'], arch='sm_90'",
            False,
            ("-DN=4", "-lineinfo", "-arch=sm_90"),
        ),
        ("SourceModule(src, options=['-O1'], no_extern_c=True)", True, ("-O1",)),
        ("-O3 -DX='a b'", False, ("-O3", "-DX=a b")),
        (["no_extern_c=True", "-O3"], True, ("-O3",)),
        ("with no_extern_c = True, of course", True, ()),
        (7, False, ()),
    ],
)
def test_options_are_read_in_every_form(value: Any, no_extern_c: bool, flags: tuple[str]) -> None:
    options = read_options(value)
    assert (options.no_extern_c, options.flags) == (no_extern_c, flags)


def test_flags_are_read_from_a_line_or_a_list() -> None:
    assert read_flags("-O3 -arch sm_90") == ("-O3", "-arch", "sm_90")
    assert read_flags(["-O3"]) == ("-O3",)
    assert read_flags(None) == ()


def refused(*flags: str, unknown: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Messages and verdicts for an H200."""
    case = Case("", "k", "", (), (1, 1, 1), (1, 1, 1), flags=flags, unknown_keywords=unknown)
    return [(str(f.message), f.verdict) for f in refused_flags(case, find("H200"))]


@pytest.mark.parametrize(
    "flags",
    [
        ("-O3", "--use_fast_math", "-lineinfo", "-std=c++20", "--ptxas-options=-v"),
        ("-Xptxas", "-dlcm=ca", "-Xcompiler", "-Wall", "-I/opt/include", "-DX", "-UX"),
        ("-arch=sm_90", "-maxrregcount", "32"),
        ("-arch", "sm_90a", "-gencode", "arch=compute_90,code=sm_90"),
        ("--gpu-architecture=compute_80", "-G", "-g", "-w", "--expt-relaxed-constexpr"),
        ("--forward-unknown-to-host-compiler", "-ffast-math"),
    ],
)
def test_what_nvcc_knows_is_not_refused(flags: tuple[str, ...]) -> None:
    assert refused(*flags) == []


@pytest.mark.parametrize(
    ("flag", "message", "verdict"),
    [
        ("-Wall", "Unknown option: nvcc has no -Wall", "compile-error"),
        ("-ffast-math", "Unknown option: nvcc has no -ffast-math", "compile-error"),
        ("--fast-math", "Unknown option: nvcc has no --fast-math", "compile-error"),
        ("-std=c++98", "Unknown option value: nvcc has no `--std=c++98`", "compile-error"),
        ("-arch=sm_61", "Unsupported architecture: nvcc 13 has no sm_61", "compile-error"),
        ("-arch=sm90", "Unknown architecture: nvcc has no sm90", "compile-error"),
        (
            "-arch=sm_86",
            "Wrong architecture: code for sm_86 does not run on this device (sm_90)",
            "launch-error",
        ),
    ],
)
def test_what_nvcc_refuses_is_named(flag: str, message: str, verdict: str) -> None:
    assert refused(flag) == [(message, verdict)]


def test_an_argument_that_source_module_lacks() -> None:
    assert refused(unknown=("no_extern_C",)) == [
        ("Unknown argument: `SourceModule` has no no_extern_C", "launch-error")
    ]
