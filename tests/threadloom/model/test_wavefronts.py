# SPDX-License-Identifier: MIT

from typing import Any

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources
from threadloom.model.timing.roofline import LAUNCH_FLOOR_S, Bound, modeled_times
from threadloom.model.trace import AccessKind, Site, Space
from threadloom.model.wavefronts import count_wavefronts
from threadloom.services.devices.device_table import find


def site(space: Space, kind: AccessKind = AccessKind.READ, **counts: Any) -> Site:
    return Site(1, None, kind, space, "a", **counts)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (site(Space.SHARED, requests=10), 10),
        (site(Space.SHARED, requests=10, bank_conflicts=310), 320),
        (site(Space.GLOBAL, requests=10, sectors=40), 10),  # 32 lanes, 4 bytes each
        (site(Space.GLOBAL, requests=10, sectors=10), 10),  # all lanes read one element
        (site(Space.GLOBAL, requests=10, sectors=320), 80),  # each lane another sector
        (site(Space.GLOBAL, AccessKind.ATOMIC, requests=10, sectors=10), 0),
    ],
)
def test_passes_of_one_place(one: Site, expected: int) -> None:
    assert count_wavefronts([one]) == expected
    assert count_wavefronts([one, one]) == 2 * expected


def test_counted_passes_bind_where_they_take_longest() -> None:
    device = find("H200")
    launch = Launch(Dim3(132 * 8), Dim3(256))
    held = occupancy(device, launch, Resources(registers=32))
    counted = 132 * 50_000
    times = modeled_times(device, 1e6, 1e6, "float32", launch, held, l1_wavefronts=counted)
    assert times.bound is Bound.L1
    expected = 50_000 / (device.clock_mhz * 1e6)
    assert times.kernel_s == pytest.approx(expected + LAUNCH_FLOOR_S)
    uncounted = modeled_times(device, 1e6, 1e6, "float32", launch, held)
    assert uncounted.kernel_s < times.kernel_s
