# SPDX-License-Identifier: MIT
"""Sources say their element type in one line, and nowhere else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from threadloom.model.operation import Operation, Variant
from threadloom_kernels import UnknownTypeError, discover, read_loop, read_source, with_type
from threadloom_kernels.source import TYPE_LINE, folder_of

CASES = [(op, variant) for op in discover().values() for variant in op.variants]
NAMES = [f"{op.name}/{variant.name}" for op, variant in CASES]

NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def _texts() -> list[tuple[str, str]]:
    files = [(op, v.file) for op, v in CASES] + [(op, op.loop_file) for op in discover().values()]
    return [(f"{op.name}/{file}", (folder_of(op) / file).read_text("utf-8")) for op, file in files]


@pytest.mark.parametrize(("name", "text"), _texts(), ids=[name for name, _ in _texts()])
def test_the_element_type_stands_in_exactly_one_line(name: str, text: str) -> None:
    assert text.splitlines().count(TYPE_LINE) == 1, name
    code = re.sub(r"//.*", "", text)
    if name.endswith(".cu"):
        assert len(re.findall(r"\b(float|double)\b", code)) == 1
    assert text.startswith("// SPDX-License-Identifier: MIT\n")


@pytest.mark.parametrize(("operation", "variant"), CASES, ids=NAMES)
def test_an_entry_takes_the_arguments_in_order(operation: Operation, variant: Variant) -> None:
    _check_parameters(read_source(operation, variant, "float32"), variant.entry, operation)
    _check_parameters(read_loop(operation, "float32"), "loop", operation)


def _check_parameters(text: str, entry: str, operation: Operation) -> None:
    found = re.search(rf"void {entry}\(([^)]*)\)", text)
    assert found is not None
    names = [re.split(r"[\s*]+", part.strip())[-1] for part in found[1].split(",")]
    assert names == [argument.name for argument in operation.arguments]


def test_the_type_is_filled_in() -> None:
    operation = discover()["vector_add"]
    assert "typedef double real;" in read_source(operation, None, "float64")
    assert "typedef float real;" in read_source(operation, "one_block", "float32")
    assert "typedef double real;" in read_loop(operation, "float64")


def test_only_the_line_of_the_type_changes() -> None:
    text = "// no typedef float real; here\ntypedef float real;\nfloat x;\n"
    assert with_type(text, "float64") == text.replace("\ntypedef float", "\ntypedef double")
    assert with_type(with_type(text, "float64"), "float32") == text
    assert with_type("int x;", "float64") == "int x;"


def test_an_unknown_type_or_variant_is_named() -> None:
    operation = discover()["vector_add"]
    with pytest.raises(UnknownTypeError, match=r"float16.*float32, float64"):
        read_source(operation, None, "float16")
    with pytest.raises(KeyError, match="grid, one_block, grid_stride"):
        read_source(operation, "none", "float32")


@pytest.mark.skipif(NVCC is None, reason="there is no nvcc on this machine")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nvcc_compiles_every_source_as_pycuda_would(dtype: str, tmp_path: Path) -> None:
    for (operation, variant), name in zip(CASES, NAMES, strict=True):
        text = read_source(operation, variant, dtype)
        path = tmp_path / (name.replace("/", "-") + ".cu")
        path.write_text('extern "C" {\n' + text + "\n}\n", encoding="utf-8")
        ptx = path.with_suffix(".ptx")
        done = subprocess.run(
            [str(NVCC), "-arch=sm_90", "-ptx", "-o", str(ptx), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout + done.stderr) == (0, ""), name
        assert f".visible .entry {variant.entry}(" in ptx.read_text()
