# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.trace import AccessKind, BlockTrace, Site, Space
from threadloom.presentation.access.warp_access import WarpAccess, warp_access, warp_accesses

GLOBAL = Site(1, None, AccessKind.READ, Space.GLOBAL, "a")
SHARED = Site(2, None, AccessKind.READ, Space.SHARED, "tile")


def access(site: Site, stride: int, size: int = 4, base: int = 256) -> WarpAccess:
    """Lane k touches element k × stride."""
    lanes = np.arange(32)
    element = lanes * stride
    trace = BlockTrace(
        block=Dim3(0, 0, 0),
        thread=lanes.astype(np.int32),
        step=np.zeros(32, np.int32),
        site=np.zeros(32, np.int32),
        element=element,
        address=(base + element * size).astype(np.uint64),
        size=np.full(32, size, np.uint8),
        value=np.zeros(32),
        array=np.zeros(32, np.int32),
    )
    return warp_access(trace, (site,), 0, 0)


@pytest.mark.parametrize(
    ("stride", "size", "sectors", "lines", "used"),
    [
        (1, 4, 4, 1, 128),
        (2, 4, 8, 2, 128),
        (32, 4, 32, 32, 128),
        (1, 8, 8, 2, 256),
        (0, 4, 1, 1, 4),
    ],
)
def test_counts_sectors_and_lines(
    stride: int, size: int, sectors: int, lines: int, used: int
) -> None:
    seen = access(GLOBAL, stride, size)
    assert seen.sectors.size == sectors
    assert seen.lines.size == lines
    assert seen.bytes_used == used
    assert seen.bytes_moved == 32 * sectors
    assert seen.ideal_sectors == -(-used // 32)


def test_an_access_that_starts_between_sectors_needs_one_more() -> None:
    assert access(GLOBAL, 1, base=256 + 4).sectors.size == 5


@pytest.mark.parametrize(("stride", "cycles"), [(1, 1), (2, 2), (32, 32), (33, 1), (0, 1)])
def test_counts_passes_of_shared_memory(stride: int, cycles: int) -> None:
    assert access(SHARED, stride, base=0).cycles == cycles


def test_finds_the_start_of_the_array() -> None:
    assert access(GLOBAL, 3, base=1024).base == 1024


def test_a_loop_is_one_access_after_the_other() -> None:
    thread = np.repeat(np.arange(32, dtype=np.int32), 2)
    step = np.tile(np.arange(2, dtype=np.int32), 32)
    element = thread * 2 + step
    trace = BlockTrace(
        block=Dim3(0, 0, 0),
        thread=thread,
        step=step,
        site=np.zeros(64, np.int32),
        element=element.astype(np.int64),
        address=(element * 4).astype(np.uint64),
        size=np.full(64, 4, np.uint8),
        value=np.zeros(64),
        array=np.zeros(64, np.int32),
    )
    assert warp_accesses(trace, (GLOBAL,), 0, 0) == 2
    assert warp_accesses(trace, (GLOBAL,), 0, 1) == 0
    second = warp_access(trace, (GLOBAL,), 0, 0, time=1)
    assert second.element.tolist() == [2 * lane + 1 for lane in range(32)]
