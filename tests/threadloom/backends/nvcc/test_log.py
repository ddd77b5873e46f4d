# SPDX-License-Identifier: MIT

import subprocess
from pathlib import Path

import pytest
from tests.paths import DATA_FOLDER

from threadloom.backends.nvcc.log import is_about_tools, parse_log
from threadloom.backends.nvcc.toolkit import find_nvcc
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity

RECORDED = DATA_FOLDER / "nvcc"
"""Sources with what nvcc 13.0 said of them."""
ERROR, WARNING = Severity.ERROR, Severity.WARNING
EXPECTED: dict[str, list[tuple[Severity, int | None, int | None, str]]] = {
    "undefined": [
        (ERROR, 5, 20, 'identifier "foo" is undefined'),
        (ERROR, 5, 26, 'identifier "bar" is undefined'),
        (ERROR, 8, 1, 'expected a ";"'),
        (WARNING, 6, 7, 'variable "unused" was declared but never referenced'),
        (WARNING, 7, 9, 'variable "y" was declared but never referenced'),
    ],
    "macro": [(ERROR, 4, 41, 'identifier "missing" is undefined')],
    "shared": [
        (ERROR, 3, None, "Entry function 'k' uses too much shared data (0x40000 bytes, 0xc000 max)")
    ],
    "include": [(ERROR, 2, 10, "nothere.h: No such file or directory")],
    "template": [(ERROR, 2, 10, 'expression must have class type but it has type "float"')],
    "warnings": [(WARNING, 2, 7, 'variable "unused" was declared but never referenced')],
    "assembly": [
        (ERROR, 3, None, "Not a name of any known instruction: 'bogus'"),
        (ERROR, 3, None, "Unknown symbol '%0'"),
    ],
}


def rows(
    diagnostics: tuple[Diagnostic, ...],
) -> list[tuple[Severity, int | None, int | None, str]]:
    return [(d.severity, d.line, d.column, str(d.message)) for d in diagnostics]


@pytest.mark.parametrize("name", EXPECTED)
def test_recorded_logs_become_diagnostics(name: str) -> None:
    source = (RECORDED / f"{name}.cu").read_text("utf-8")
    log = (RECORDED / f"{name}.log").read_text("utf-8")
    found = parse_log(log, source, entry_line=3)
    assert rows(found) == EXPECTED[name]
    assert all(d.raw and d.raw in log for d in found)


def test_the_column_points_at_the_word() -> None:
    source = (RECORDED / "undefined.cu").read_text("utf-8")
    log = (RECORDED / "undefined.log").read_text("utf-8")
    first, second = parse_log(log, source)[:2]
    line = source.splitlines()[4]
    assert line.startswith("\t")
    assert first.column is not None
    assert second.column is not None
    assert line[first.column - 1 :].startswith("foo")
    assert line[second.column - 1 :].startswith("bar")


@pytest.mark.skipif(find_nvcc() is None, reason="the CUDA Toolkit is not installed")
@pytest.mark.parametrize("name", EXPECTED)
def test_nvcc_here_is_understood_too(name: str, tmp_path: Path) -> None:
    source = (RECORDED / f"{name}.cu").read_text("utf-8")
    (tmp_path / "kernel.cu").write_text(source, "utf-8")
    done = subprocess.run(
        [str(find_nvcc()), "--cubin", "-arch", "sm_80", "kernel.cu"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = parse_log(done.stdout + done.stderr, source, entry_line=3)
    assert [d.severity for d in found] == [row[0] for row in EXPECTED[name]]
    assert [d.line for d in found] == [row[1] for row in EXPECTED[name]]


def test_messages_of_other_files_keep_their_name() -> None:
    log = '/usr/include/thing.h(33): error: identifier "q" is undefined'
    (found,) = parse_log(log, "int x;\n")
    assert found.line is None
    assert "/usr/include/thing.h" in str(found.message)
    assert "33" in str(found.message)


@pytest.mark.parametrize(
    "log",
    [
        "nvcc fatal   : Unsupported gpu architecture 'sm_70'",
        "nvcc fatal   : Cannot find compiler 'cl.exe' in PATH",
    ],
)
def test_nvcc_that_cannot_work_is_told_from_a_wrong_source(log: str) -> None:
    assert is_about_tools(parse_log(log, "int x;\n"))
    assert not is_about_tools(parse_log("kernel.cu(1): error: no", "int x;\n"))
    assert not is_about_tools(())


@pytest.mark.parametrize("log", ["", "nothing to see\n\nhere", "^\n^\n", "kernel.cu(: error"])
def test_other_text_is_no_diagnostic(log: str) -> None:
    assert parse_log(log, "") == ()


def test_microsofts_compiler_is_understood() -> None:
    log = "kernel.cu(2): fatal error C1083: Cannot open include file: 'x.h'"
    (found,) = parse_log(log, "\n\n")
    assert (found.severity, found.line) == (ERROR, 2)
    assert str(found.message) == "Cannot open include file: 'x.h'"
