# SPDX-License-Identifier: MIT
"""Cases read from their files, their arguments, and what is refused before a launch."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from threadloom.backends.source import parse
from threadloom.model.apply_fix import apply_edit
from threadloom.model.case import Case, CaseArgument
from threadloom.services.doctor.cases.case import CaseError, read_case, unwrapped
from threadloom.services.doctor.cases.extents import nearest_whole, refused_extents, whole_extents
from threadloom.services.doctor.cases.lookup import refused_name
from threadloom.services.doctor.cases.source_checks.c_linkage import refused_in_c
from threadloom.services.doctor.cases.values import defined, delivered, passed, returned

KERNEL = """\
__global__ void scale(float *x, float k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= k;
}
"""
ARRAY: dict[str, Any] = {
    "name": "x",
    "type": "float*",
    "dtype": "float32",
    "shape": [6],
    "access": "inout",
    "init": "arange",
}


def written(folder: Path, source: str = KERNEL, **content: Any) -> Path:
    """A case in a folder."""
    whole = {"kernel": "scale", "args": [ARRAY], "block": [32], "grid": [1, 1], **content}
    (folder / "kernel.cu").write_text(source)
    (folder / "case.json").write_text(json.dumps(whole))
    return folder


def test_a_case_is_read_from_its_folder_or_file(tmp_path: Path) -> None:
    case = read_case(written(tmp_path, shared=256, flags="-O3 -lineinfo", tolerance="2e-2 of it"))
    assert case == read_case(tmp_path / "case.json")
    assert (case.block, case.grid) == ((32,), (1, 1))
    assert whole_extents(case.block) == (32, 1, 1)
    assert (case.shared_bytes, case.flags, case.tolerance) == (256, ("-O3", "-lineinfo"), 0.02)
    assert case.arguments[0].shape == (6,)
    assert case.source == KERNEL


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"kernel": None}, "“kernel” is missing"),
        ({"args": {}}, "“args”"),
        ({"args": [3]}, r"args\[0\]"),
        ({"args": [{**ARRAY, "access": "both"}]}, "in, out, inout, raw"),
        ({"args": [{**ARRAY, "shape": [2.5]}]}, "“shape” must be integers"),
    ],
)
def test_a_wrong_part_is_named(tmp_path: Path, content: dict[str, Any], words: str) -> None:
    with pytest.raises(CaseError, match=words):
        read_case(written(tmp_path, **content))


def test_a_case_without_its_source_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "kernel.cu").unlink()
    with pytest.raises(CaseError, match=r"kernel\.cu"):
        read_case(tmp_path)
    (tmp_path / "case.json").write_text("{")
    with pytest.raises(CaseError, match=r"case\.json"):
        read_case(tmp_path)


def test_the_line_that_pycuda_adds_is_not_the_users() -> None:
    assert unwrapped('extern "C" {\n' + KERNEL + "}\n") == KERNEL
    assert unwrapped(KERNEL) == KERNEL


@pytest.mark.parametrize(
    ("init", "values"),
    [
        ("arange", [0, 1, 2, 3, 4, 5]),
        ("zeros", [0] * 6),
        ("ones", [1] * 6),
        ("empty", [0] * 6),
        ("fill:-1.5", [-1.5] * 6),
        ("mod:4", [0, 1, 2, 3, 0, 1]),
        ("spike", [0, 0, 0, 1, 0, 0]),
        ("values:1,2,3,4,5,0.5", [1, 2, 3, 4, 5, 0.5]),
    ],
)
def test_start_values(init: str, values: list[float]) -> None:
    array = passed(CaseArgument("x", "float*", "float32", (2, 3), init=init))
    assert isinstance(array, np.ndarray)
    assert array.shape == (2, 3)
    assert array.ravel().tolist() == values


@pytest.mark.parametrize("init", ["random", "fill:", "mod:x", "values:1,2"])
def test_a_start_value_that_means_nothing_is_refused(init: str) -> None:
    with pytest.raises(CaseError, match="Argument x"):
        passed(CaseArgument("x", "float*", "float32", (6,), init=init))


def test_what_does_not_reach_the_device_is_not_defined() -> None:
    def is_defined(access: str, init: str) -> bool:
        return defined(CaseArgument("x", "float*", "float32", (6,), access, init))

    assert is_defined("in", "ones")
    assert is_defined("inout", "zeros")
    assert not is_defined("out", "zeros")
    assert not is_defined("raw", "zeros")
    assert not is_defined("inout", "empty")


def test_memory_is_taken_for_what_the_kernel_reads() -> None:
    (signature,) = parse(KERNEL).kernels
    given = np.array([1.0, 2.0])
    values = {"x": given, "k": np.float64(2), "n": np.int32(4)}
    seen = delivered(signature, values)  # type: ignore[arg-type]
    assert seen["x"].tolist() == [0.0, 1.875, 0.0, 2.0]
    assert seen["k"].dtype == np.float64
    doubled: np.ndarray[Any, Any] = np.asarray(seen["x"]) * np.float32(2)
    assert returned(doubled, given).tolist() == [256.0, 512.0]


def test_fortran_order_lies_as_it_does() -> None:
    (signature,) = parse(KERNEL).kernels
    array = passed(CaseArgument("x", "float*", "float32", (2, 3), init="arange", order="F"))
    seen = delivered(signature, {"x": array, "k": np.float32(1), "n": np.int32(6)})
    assert seen["x"].tolist() == [0, 3, 1, 4, 2, 5]
    assert np.array_equal(returned(np.asarray(seen["x"]), array), array)


def case_of(source: str, **changes: Any) -> Case:
    """A case around a source."""
    whole: dict[str, Any] = {"block": (32, 1, 1), "grid": (1, 1, 1), "arguments": ()}
    return Case("title", "scale", source, **{**whole, **changes})


def kinds(case: Case) -> list[str]:
    """Kinds of the findings about names."""
    parsed = parse(case.source)
    return [f.kind for find in (refused_name, refused_in_c) for f in find(case, parsed)]


def test_a_name_is_a_c_name_only_if_the_source_says_so() -> None:
    assert kinds(case_of(KERNEL)) == []
    assert kinds(case_of(KERNEL, no_extern_c=True)) == ["mangled-name"]
    assert kinds(case_of('extern "C" ' + KERNEL, no_extern_c=True)) == []
    assert kinds(case_of('extern "C"\n' + KERNEL, no_extern_c=True)) == []
    assert kinds(case_of('extern "C" {\n' + KERNEL + "}\n", no_extern_c=True)) == []
    other = 'extern "C" __global__ void other(int *p) { p[0] = 1; }\n'
    assert kinds(case_of(other + KERNEL, no_extern_c=True)) == ["mangled-name"]


def test_the_c_name_is_added() -> None:
    case = case_of("// first\n" + KERNEL, no_extern_c=True)
    (finding,) = refused_name(case, parse(case.source))
    edit = finding.fixes[0].edit
    assert edit is not None
    assert 'extern "C" __global__ void scale' in apply_edit(case.source, edit)


def test_a_kernel_that_is_not_there_has_a_nearest_one() -> None:
    case = case_of(KERNEL.replace("scale", "scaled"))
    (finding,) = refused_name(case, parse(case.source))
    assert (finding.kind, finding.numbers["nearest"]) == ("no-such-kernel", "scaled")


def test_a_template_cannot_have_a_c_name() -> None:
    source = "template <typename V>\n" + KERNEL.replace("float", "V")
    assert kinds(case_of(source, wrapped=True)) == ["template-extern-c"]
    assert kinds(case_of(source)) == []


def test_extents_must_be_whole() -> None:
    case = case_of(KERNEL, grid=(4.90625, 1, 1), block=(32, True, "8"))
    found = list(refused_extents(case))
    assert [f.control for f in found] == ["block.y", "block.z", "grid.x"]
    assert str(found[2].message) == "Grid x is 4.90625, not an integer"
    assert str(found[2].detail) == "Divide with `//` and round up: `(n + 31) // 32`."
    assert {f.verdict for f in found} == {"launch-error"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"block": 256}, "Block is 256, a single value; PyCUDA takes a tuple"),
        ({"block": None}, "Missing block: PyCUDA needs one for each launch"),
        ({"block": [16, 16]}, "Block (16, 16) has 2 of the three numbers that PyCUDA takes"),
        (
            {"block_py": "(256,)"},
            "Block (256,) has 1 of the three numbers that PyCUDA takes",
        ),
        ({"block_py": "block=[256, 1, 1]"}, "Block is [256, 1, 1], a list; PyCUDA takes a tuple"),
        (
            {"grid": [4, 1, 1, 1]},
            "Grid (4, 1, 1, 1) has 4 numbers; PyCUDA takes at most three",
        ),
        ({"grid": [4.0, 1]}, "Grid x is 4.0, a float; PyCUDA takes an int"),
        (
            {"grid_py": "(np.int32(n) // 256, 1)"},
            "Grid x is np.int32(n) // 256, a NumPy scalar; PyCUDA takes a Python int",
        ),
        ({"shared": 64.0}, "shared is 64.0; PyCUDA takes an int, the number of bytes"),
    ],
)
def test_what_pycuda_does_not_take_is_the_launchs_fault(
    tmp_path: Path, content: dict[str, Any], message: str
) -> None:
    case = read_case(written(tmp_path, **{"block": [256, 1, 1], "grid": [4, 1, 1], **content}))
    (found,) = refused_extents(case)
    assert (str(found.message), found.verdict) == (message, "launch-error")


@pytest.mark.parametrize("grid", ["(4, 1)", "(math.ceil(n / 256),)", "tuple(shape)", "(a := ", ""])
def test_a_grid_that_pycuda_takes_is_not_refused(tmp_path: Path, grid: str) -> None:
    case = read_case(written(tmp_path, block=[256, 1, 1], grid=[4], grid_py=grid))
    assert list(refused_extents(case)) == []


def test_without_a_grid_there_is_one_block(tmp_path: Path) -> None:
    path = written(tmp_path)
    content = json.loads((path / "case.json").read_text())
    del content["grid"]
    (path / "case.json").write_text(json.dumps(content))
    assert whole_extents(read_case(path).grid) == (1, 1, 1)


def test_whole_extents_near_others() -> None:
    assert nearest_whole(7) == (7,)
    assert nearest_whole(4.9) == (4, 5)
    assert nearest_whole(0.3) == (1,)
    assert nearest_whole("8") == (8,)
    assert nearest_whole("eight") == ()
    assert nearest_whole(float("nan")) == ()
