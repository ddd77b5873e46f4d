# SPDX-License-Identifier: MIT
"""A device and two small operations with launch rules, to diagnose launches of."""

import numpy as np
import pytest

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.message import literal
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant


@pytest.fixture(scope="session")
def h200() -> DeviceModel:
    """Limits of compute capability 9.0."""
    return DeviceModel(
        name="H200",
        compute_capability=(9, 0),
        sm_count=132,
        max_threads_per_block=1024,
        max_block=Dim3(1024, 1024, 64),
        max_grid=Dim3(2**31 - 1, 65535, 65535),
        shared_per_block=49152,
        shared_per_block_optin=232448,
        shared_per_sm=233472,
        shared_reserved_per_block=1024,
        registers_per_block=65536,
        registers_per_sm=65536,
        max_registers_per_thread=255,
        max_threads_per_sm=2048,
        max_blocks_per_sm=32,
        fp32_lanes_per_sm=128,
        fp64_ratio=0.5,
        clock_mhz=1980,
        memory_bytes=141 * 10**9,
        memory_gb_per_s=4800,
        l2_bytes=50 * 2**20,
        link_gb_per_s=64,
    )


def _variant(name: str, rule: LaunchRule, most: int | None = None) -> Variant:
    return Variant(name, name, "", f"{name}.cu", name, rule, follows="c", max_elements=most)


def _operation(
    name: str, axes: tuple[str, ...], variants: tuple[Variant, ...], loads: tuple[str, ...] = ("a",)
) -> Operation:
    return Operation(
        name=name,
        title=name,
        summary="",
        formula="c = a",
        axes=tuple(Axis(axis, 1000) for axis in axes),
        arguments=(
            *(Argument(load, Role.IN, axes) for load in loads),
            Argument("c", Role.OUT, axes),
            *(Argument(axis, Role.SIZE) for axis in axes),
        ),
        reference=lambda inputs, _sizes: {"c": inputs["a"]},
        tolerance=lambda _sizes, _dtype: 0.0,
        bytes_moved=lambda sizes, item: 2 * item * int(np.prod(list(sizes.values()))),
        flops=lambda _sizes: 0,
        variants=variants,
        loop_file="loop.c",
    )


@pytest.fixture(scope="session")
def line() -> Operation:
    """Over one axis: one block of up to 1,024 elements, or a grid."""
    one = LaunchRule(
        block=lambda sizes: Dim3(min(sizes["n"], 1024)), grid=lambda _sizes, _block: Dim3(1)
    )
    many = LaunchRule(
        block=lambda _sizes: Dim3(256),
        grid=lambda sizes, block: Dim3(ceil_div(sizes["n"], block.x)),
    )
    return _operation("line", ("n",), (_variant("one_block", one, 1024), _variant("grid", many)))


@pytest.fixture(scope="session")
def plane() -> Operation:
    """Over rows and columns: a free block, or square tiles of 16 with a fixed shape."""

    def grid(sizes: dict[str, int], block: Dim3) -> Dim3:
        return Dim3(ceil_div(sizes["cols"], block.x), ceil_div(sizes["rows"], block.y))

    free = LaunchRule(block=lambda _sizes: Dim3(16, 16), grid=grid)  # type: ignore[arg-type]
    tiled = LaunchRule(
        block=lambda _sizes: Dim3(16, 16),
        grid=grid,  # type: ignore[arg-type]
        shared_bytes=lambda _sizes, block, item: block.count * item,
        block_valid=lambda block: literal("" if block == Dim3(16, 16) else "Tiles are 16 × 16."),
    )
    variants = (_variant("naive", free), _variant("tiled", tiled))
    return _operation("plane", ("rows", "cols"), variants)
