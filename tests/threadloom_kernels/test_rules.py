# SPDX-License-Identifier: MIT
"""Default launches are legal and cover the problem, with any block."""

from itertools import product

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Variant
from threadloom_kernels import default_launch, discover

OPERATIONS = discover()
CASES = [(op, variant) for op in OPERATIONS.values() for variant in op.variants]
ALL = pytest.mark.parametrize(
    ("operation", "variant"), CASES, ids=[f"{op.name}/{v.name}" for op, v in CASES]
)
ONE_THREAD_PER_ELEMENT = {
    ("vector_add", "grid"): ("n",),
    ("sigmoid", "grid"): ("n",),
    ("reduce_sum", "atomic"): ("n",),
    ("reduce_sum", "shared_tree"): ("n",),
    ("histogram", "atomic"): ("n",),
    ("histogram", "shared_bins"): ("n",),
    ("matrix_add", "grid"): ("cols", "rows"),
    ("tensor_add", "grid"): ("cols", "rows", "depth"),
    ("matmul", "naive"): ("n", "m"),
    ("matmul", "shared_tile"): ("n", "m"),
    ("matmul", "dynamic_tile"): ("n", "m"),
    ("linear_sigmoid", "row_per_thread"): ("rows", "batch"),
    ("conv2d", "naive"): ("cols", "rows"),
    ("transpose", "naive"): ("cols", "rows"),
}


@ALL
def test_the_default_launch_is_legal_at_the_default_size(
    operation: Operation, variant: Variant
) -> None:
    sizes = operation.sizes({})
    if variant.max_elements is not None:
        sizes = dict.fromkeys(sizes, 10)
    launch = default_launch(variant, sizes, 4)
    assert 1 <= launch.threads_per_block <= 1024
    assert launch.block.z <= 64
    assert max(launch.grid.y, launch.grid.z) <= 65_535
    assert 0 <= launch.shared_bytes <= 48 * 1024
    assert str(variant.rule.block_valid(launch.block)) == ""


@pytest.mark.parametrize("names", ONE_THREAD_PER_ELEMENT, ids="/".join)
def test_the_grid_just_covers_each_axis_with_any_block(names: tuple[str, str]) -> None:
    operation = OPERATIONS[names[0]]
    variant, axes = operation.variant(names[1]), ONE_THREAD_PER_ELEMENT[names]
    for size, block in product((1, 31, 33, 1000), (Dim3(1), Dim3(16, 16), Dim3(7, 3, 2))):
        sizes = operation.sizes(dict.fromkeys(axes, size))
        grid = variant.rule.grid(sizes, block)
        for axis, blocks, threads in zip(axes, grid, block, strict=False):
            assert (blocks - 1) * threads < sizes[axis] <= blocks * threads


@ALL
def test_a_block_without_threads_still_has_a_grid(operation: Operation, variant: Variant) -> None:
    sizes = operation.sizes({})
    for block in (Dim3(0), Dim3(0, 0, 0), Dim3(-5, 16), Dim3(2**31)):
        assert variant.rule.grid(sizes, block).count >= 1


def test_one_block_is_as_large_as_the_problem() -> None:
    vector = OPERATIONS["vector_add"].variant("one_block")
    launch = default_launch(vector, {"n": 500_000}, 4)
    assert (launch.grid, launch.block) == (Dim3(1), Dim3(500_000))
    assert vector.max_elements == 1024
    matrix = OPERATIONS["matrix_add"].variant("one_block")
    assert default_launch(matrix, {"rows": 3, "cols": 5}, 4).block == Dim3(5, 3)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("matrix_add", {"rows": 2_000_000, "cols": 3}),
        ("matrix_add", {"rows": 60_000_000, "cols": 1}),
        ("tensor_add", {"depth": 2_000_000, "rows": 2, "cols": 2}),
        ("tensor_add", {"depth": 2, "rows": 2_000_000, "cols": 2}),
        ("linear_sigmoid", {"rows": 2, "cols": 2, "batch": 1_000_000}),
        ("conv2d", {"rows": 2_000_000, "cols": 2, "radius": 1}),
    ],
)
def test_tall_problems_get_tall_blocks(name: str, sizes: dict[str, int]) -> None:
    launch = default_launch(OPERATIONS[name].variants[0], sizes, 4)
    assert max(launch.grid.y, launch.grid.z) <= 65_535
    assert launch.threads_per_block <= 1024
    assert launch.block.z <= 64
    assert launch.threads >= sizes[next(iter(sizes))]


def test_shared_memory_follows_block_and_type() -> None:
    tile = OPERATIONS["matmul"].variant("dynamic_tile")
    sizes = OPERATIONS["matmul"].sizes({})
    assert default_launch(tile, sizes, 4).shared_bytes == 2048
    assert default_launch(tile, sizes, 8, Dim3(32, 32)).shared_bytes == 16_384
    tree = OPERATIONS["reduce_sum"].variant("shared_tree")
    assert default_launch(tree, {"n": 9}, 8, Dim3(100)).shared_bytes == 800


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("matmul/shared_tile", [Dim3(16, 16)], [Dim3(32, 32), Dim3(16, 8), Dim3(16, 16, 2)]),
        ("matmul/dynamic_tile", [Dim3(1), Dim3(5, 5), Dim3(32, 32)], [Dim3(16, 8), Dim3(2, 2, 2)]),
        ("transpose/shared_tile", [Dim3(32), Dim3(32, 5)], [Dim3(16, 16), Dim3(32, 2, 2)]),
        ("reduce_sum/atomic", [Dim3(1), Dim3(33)], [Dim3(16, 16)]),
        ("softmax/block_per_row", [Dim3(1000)], [Dim3(16, 1, 2)]),
        ("vector_add/grid", [Dim3(16, 16)], []),
    ],
)
def test_a_kernel_says_why_it_cannot_take_a_block(
    name: str, good: list[Dim3], bad: list[Dim3]
) -> None:
    operation, _, variant = name.partition("/")
    valid = OPERATIONS[operation].variant(variant).rule.block_valid
    assert [str(valid(block)) for block in good] == [""] * len(good)
    for block in bad:
        assert str(valid(block)).endswith(".")
