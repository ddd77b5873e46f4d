# SPDX-License-Identifier: MIT
"""Choices with a fix applied."""

import pytest

from threadloom.model.apply_fix import EditError, apply_edit, apply_fix
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Edit, Fix
from threadloom.model.job import Job
from threadloom.model.message import literal
from threadloom.services.storage.workspace import Workspace


def test_only_what_a_fix_names_is_changed() -> None:
    before = Workspace(block=Dim3(512), seed=3)
    after = apply_fix(before, Fix(literal("Use 256"), block=Dim3(256)))
    assert after == before.with_(block=Dim3(256))


def test_another_variant_brings_its_own_source() -> None:
    before = Workspace(variant="one_block", source="mine", entry="k", source_file="/a.cu")
    fix = Fix(
        literal("x"), variant="grid", grid=Dim3(1954), block=Dim3(256), grid_follows_size=True
    )
    after = apply_fix(before, fix)
    assert (after.variant, after.source, after.entry, after.source_file) == (
        ("grid", None, None, None)
    )
    assert (after.grid, after.block, after.grid_follows_size) == (Dim3(1954), Dim3(256), True)


def test_a_grid_that_is_given_no_longer_follows_the_size() -> None:
    fix = Fix(literal("x"), grid=Dim3(7))
    workspace = apply_fix(Workspace(grid_follows_size=True), fix)
    assert workspace.job().grid == Dim3(7)
    assert apply_fix(Job("vector_add", "grid", {"n": 9}), fix).grid == Dim3(7)


def test_a_grid_that_follows_the_size_is_left_to_the_rule() -> None:
    fix = Fix(literal("Turn on"), grid=Dim3(7), grid_follows_size=True)
    assert apply_fix(Job("vector_add", "grid", {"n": 9}, grid=Dim3(1)), fix).grid is None
    workspace = apply_fix(Workspace(grid_follows_size=False, grid=Dim3(1)), fix)
    assert workspace.job().grid is None
    assert workspace.grid == Dim3(7)


def test_sizes_are_merged_and_shared_memory_is_set() -> None:
    before = Workspace(sizes={"rows": 8, "cols": 9})
    after = apply_fix(before, Fix(literal("x"), sizes={"cols": 32}, shared_bytes=256))
    assert after.sizes == {"rows": 8, "cols": 32}
    assert after.shared_bytes == 256


def test_an_edit_becomes_the_edited_source() -> None:
    edit = Edit(2, 3, 2, 4, "blockDim.x")
    assert (
        apply_fix(Workspace(), Fix(literal("x"), edit=edit), "a\nb x c").source
        == "a\nb blockDim.x c"
    )
    before = Workspace(source="1\n2 ?")
    assert apply_fix(before, Fix(literal("x"), edit=edit), "never").source == "1\n2 blockDim.x"


def test_an_edit_may_span_lines_and_insert_at_the_end() -> None:
    assert apply_edit("ab\ncd\nef", Edit(1, 2, 3, 2, "-")) == "a-f"
    assert apply_edit("ab", Edit(1, 3, 1, 3, "\nc")) == "ab\nc"


@pytest.mark.parametrize(
    "edit", [Edit(3, 1, 3, 1, ""), Edit(0, 1, 1, 1, ""), Edit(1, 4, 1, 4, ""), Edit(2, 2, 1, 1, "")]
)
def test_an_edit_of_a_place_that_is_not_there_is_refused(edit: Edit) -> None:
    with pytest.raises(EditError, match=r"\w"):
        apply_edit("ab\ncd", edit)
