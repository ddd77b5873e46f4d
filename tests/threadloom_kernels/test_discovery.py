# SPDX-License-Identifier: MIT
"""Operations are found by their folders, and a broken one hides no other."""

import pickle
from pathlib import Path

import pytest

import threadloom_kernels
from threadloom.model.message import literal
from threadloom.model.operation import Operation, Role
from threadloom_kernels import OperationError, discover, find, make_arguments, read_source

PACKAGE = Path(threadloom_kernels.__file__).parent

OWN = """
from dataclasses import replace
from threadloom_kernels.vector_add import OPERATION as GIVEN

OPERATION = replace(GIVEN, name="{name}", title="Mine", variants=GIVEN.variants[:1])
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's folder with one working operation."""
    _add(tmp_path, "mine")
    return tmp_path


def _add(folder: Path, name: str, text: str | None = None) -> Path:
    place = folder / name
    place.mkdir()
    (place / "__init__.py").write_text(OWN.format(name=name) if text is None else text)
    for file in ("grid.cu", "loop.c"):
        (place / file).write_text((PACKAGE / "vector_add" / file).read_text())
    return place


def test_every_folder_of_the_package_is_an_operation_of_its_name() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(discover()) == folders
    assert {name: op.name for name, op in discover().items()} == {name: name for name in folders}


def test_the_operations_that_were_promised_are_there_with_their_variants() -> None:
    found = {name: {v.name for v in op.variants} for name, op in discover().items()}
    promised = {
        "vector_add": {"one_block", "grid", "grid_stride"},
        "matrix_add": {"one_block", "grid"},
        "tensor_add": {"grid"},
        "sigmoid": {"grid"},
        "matmul": {"naive", "shared_tile"},
        "linear_sigmoid": {"row_per_thread"},
        "reduce_sum": {"atomic", "shared_tree"},
        "conv2d": {"naive"},
        "softmax": {"block_per_row"},
        "layer_norm": {"block_per_row"},
        "transpose": {"naive", "shared_tile"},
        "histogram": {"atomic", "shared_bins"},
    }
    assert {name: variants - found[name] for name, variants in promised.items()} == {
        name: set() for name in promised
    }


@pytest.mark.parametrize("operation", discover().values(), ids=list(discover()))
def test_what_an_operation_names_exists(operation: Operation) -> None:
    arguments = {argument.name: argument for argument in operation.arguments}
    axes = {axis.name for axis in operation.axes}
    assert {a.axis or a.name for a in arguments.values() if a.role is Role.SIZE} == axes
    assert {part for a in arguments.values() for part in a.shape if isinstance(part, str)} <= axes
    assert len({variant.name for variant in operation.variants}) == len(operation.variants)
    assert {variant.follows for variant in operation.variants} <= set(operation.outputs)


def test_an_operation_of_the_user_stands_beside_the_others(own: Path) -> None:
    found = discover(own)
    assert set(found) == {*discover(), "mine"}
    assert "vec_add" in read_source(found["mine"], "grid", "float64")
    assert list(make_arguments(found["mine"], {"n": 3}, "float32", 0)) == ["a", "b", "c", "n"]


def test_edits_of_the_user_count_at_the_next_look(own: Path) -> None:
    assert "mine" in discover(own)
    (own / "mine" / "__init__.py").write_text(OWN.format(name="yours"))
    assert "yours" in discover(own)
    assert "mine" not in discover(own)
    assert not (own / "mine" / "__pycache__").exists()


def test_an_operation_may_have_modules_of_its_own(own: Path) -> None:
    text = OWN.format(name="mine").replace('"Mine"', "TITLE")
    (own / "mine" / "__init__.py").write_text("from .words import TITLE\n" + text)
    for title in ("One", "Another"):
        (own / "mine" / "words.py").write_text(f"TITLE = {title!r}\n")
        assert discover(own)["mine"].title == title


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("OPERATION =", "SyntaxError"),
        ("import no_such_module", "no_such_module"),
        ("raise SystemExit(3)", "SystemExit"),
        ("", "does not define OPERATION"),
        ("OPERATION = 7", "does not define OPERATION"),
        (OWN.format(name="vector_add"), "duplicate operation name vector_add"),
    ],
)
def test_a_broken_folder_is_named_and_hides_no_other(own: Path, text: str, reason: str) -> None:
    broken = _add(own, "broken", text)
    found = find(own)
    assert "mine" in found.operations
    assert [error.folder for error in found.errors] == [str(broken)]
    assert reason in str(found.errors[0].reason)
    assert str(broken) in str(found.errors[0])


def test_a_source_that_is_missing_or_says_no_type_is_refused(own: Path) -> None:
    (_add(own, "lacking") / "grid.cu").unlink()
    (_add(own, "untyped") / "loop.c").write_text("void loop(void) {}\n")
    reasons = [str(error.reason) for error in find(own).errors]
    assert reasons == [
        "the file grid.cu is missing.",
        "loop.c must contain the line typedef float real; exactly once.",
    ]


def test_a_folder_that_is_not_there_adds_nothing(tmp_path: Path) -> None:
    assert set(discover(tmp_path / "none")) == set(discover())


def test_an_error_can_be_sent_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(OperationError("/a", literal("it is empty."))))
    assert (error.folder, str(error.reason)) == ("/a", "it is empty.")
