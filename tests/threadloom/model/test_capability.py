# SPDX-License-Identifier: MIT
"""Limits by compute capability, as the CUDA Programming Guide's tables have them."""

from __future__ import annotations

import pytest

from threadloom.model.capability import CAPABILITIES, KIB, capability

ROWS = {
    #         threads blocks shared opt-in reserved unit fp32 fp64
    (7, 5): (1024, 16, 64, 64, 0, 256, 64, 2),
    (8, 0): (2048, 32, 164, 163, 1, 128, 64, 32),
    (8, 6): (1536, 16, 100, 99, 1, 128, 128, 2),
    (8, 7): (1536, 16, 164, 163, 1, 128, 128, 2),
    (8, 9): (1536, 24, 100, 99, 1, 128, 128, 2),
    (9, 0): (2048, 32, 228, 227, 1, 128, 128, 64),
    (10, 0): (2048, 32, 228, 227, 1, 128, 128, 64),
    (10, 3): (2048, 32, 228, 227, 1, 128, 128, 2),
    (11, 0): (1536, 24, 228, 227, 1, 128, 128, 2),
    (12, 0): (1536, 24, 100, 99, 1, 128, 128, 2),
    (12, 1): (1536, 24, 100, 99, 1, 128, 128, 2),
}
"""Shared memory in KiB, its unit in bytes."""


def test_every_row_is_checked() -> None:
    assert CAPABILITIES.keys() == ROWS.keys()


@pytest.mark.parametrize("version", ROWS)
def test_limits_are_those_of_the_guide(version: tuple[int, int]) -> None:
    found = capability(version)
    assert (
        found.max_threads_per_sm,
        found.max_blocks_per_sm,
        found.shared_per_sm / KIB,
        found.shared_per_block_optin / KIB,
        found.shared_reserved_per_block / KIB,
        found.shared_unit,
        found.fp32_lanes_per_sm,
        found.fp64_lanes_per_sm,
    ) == ROWS[version]


def test_the_double_precision_rate_is_a_share_of_the_single_precision_rate() -> None:
    assert capability((10, 0)).fp64_ratio == 1 / 2
    assert capability((10, 3)).fp64_ratio == 1 / 64
    assert capability((11, 0)).fp64_ratio == 1 / 64
    assert capability((7, 5)).fp64_ratio == 1 / 32


def test_what_all_have_in_common() -> None:
    found = capability((10, 3))
    assert (found.max_threads_per_block, found.max_block_xy, found.max_block_z) == (1024, 1024, 64)
    assert (found.max_grid_x, found.max_grid_yz) == (2**31 - 1, 65_535)
    assert found.shared_per_block == 48 * KIB
    assert (found.registers_per_sm, found.registers_per_block) == (65_536, 65_536)
    assert (found.max_registers_per_thread, found.register_unit, found.sub_partitions) == (
        255,
        256,
        4,
    )
