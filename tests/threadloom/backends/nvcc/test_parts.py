# SPDX-License-Identifier: MIT
"""Options, texts, logs and the cache, without a compiler."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from threadloom.backends.nvcc.device_source import device_text
from threadloom.backends.nvcc.options import kept_options
from threadloom.backends.nvcc.ptxas import Usage, usages
from threadloom.backends.nvcc.result_cache import Entry, KeptResults
from threadloom.backends.source import parse
from threadloom.model.program import Resources

LOG_13_0 = """\
ptxas info    : 0 bytes gmem, 40 bytes cmem[3]
ptxas info    : Compiling entry function '_Z5smallPf' for 'sm_90'
ptxas info    : Function properties for _Z5smallPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
ptxas info    : Compile time = 1.086 ms
ptxas info    : Compiling entry function '_Z3fatPfi' for 'sm_90'
ptxas info    : Function properties for _Z3fatPfi
    400 bytes stack frame, 396 bytes spill stores, 392 bytes spill loads
ptxas info    : Function properties for _Z4deepi
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 416 bytes cumulative stack size, 12 bytes smem
"""
"""As nvcc 13.0 words it."""
LOG_11 = """\
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 2048+0 bytes smem, 364 bytes cmem[0]
"""


def test_the_assemblers_words() -> None:
    assert usages(LOG_13_0) == {
        "_Z5smallPf": Usage(8),
        "_Z3fatPfi": Usage(64, 12, 416, 396, 392),
    }
    assert usages(LOG_11) == {"k": Usage(10, 2048)}
    assert usages("kernel.cu(1): error: expected a declaration\n") == {}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("-O3", "-arch=sm_70", "-lineinfo"), ("--generate-line-info",)),
        (("-use_fast_math", "-G"), ("--use_fast_math", "--device-debug")),
        (("-maxrregcount", "32"), ("--maxrregcount=32",)),
        (("--maxrregcount=32", "-fmad=false"), ("--maxrregcount=32", "--fmad=false")),
        (("-DN=4", "-D", "M=5", "-UX"), ("-DN=4", "-DM=5", "-UX")),
        (("-ccbin", "/tmp/evil", "-include", "/etc/passwd", "-I/etc"), ()),
        (("-Xcompiler", "-fplugin=evil.so", "--run"), ()),
        (("-D",), ("-D",)),
    ],
)
def test_only_options_that_change_the_kernel_are_kept(
    given: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    assert kept_options(given) == kept


def test_host_code_is_blanked_in_place() -> None:
    source = (
        "#include <vector>\n"
        "#include <cuda_fp16.h>\n"
        '#include "/etc/passwd"\n'
        "#include <cuda/../../../etc/passwd>\n"
        "float host(float v) { return v; }\n"
        "__device__ float dev(float v) { return v; }\n"
        "__global__ void k(float *x) { x[0] = dev(x[1]); }\n"
        "int main() { return 0; }\n"
    )
    text = device_text(parse(source))
    lines = text.split("\n")
    assert len(text) == len(source)
    assert [bool(line.strip()) for line in lines] == [
        *(False, True, False, False, False),
        *(True, True, False, False),
    ]
    assert lines[5:7] == source.split("\n")[5:7]


def test_kept_answers(tmp_path: Path) -> None:
    kept = KeptResults(tmp_path / "nvcc", most=2)
    told = Entry("log", Resources(registers=8, local_bytes=0))
    assert kept.find("a") is None
    kept.store("a", told)
    kept.store("b", Entry("refused", None))
    assert kept.find("a") == told
    assert kept.find("b") == Entry("refused", None)
    os.utime(kept.folder / "b.json", (1, 1))
    kept.store("c", told)
    assert (kept.find("b"), kept.find("a")) == (None, told)
    (kept.folder / "a.json").write_text('{"log": ""}')
    assert kept.find("a") is None


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = KeptResults(tmp_path / "file" / "nvcc")
    kept.store("a", Entry("log", None))
    assert kept.find("a") is None
