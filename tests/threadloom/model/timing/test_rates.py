# SPDX-License-Identifier: MIT
"""Rates against a device's peaks."""

import pytest

from threadloom.model.timing.rates import rates
from threadloom.services.devices.device_table import find

DEVICE = find("H200")


def test_a_share_of_each_peak() -> None:
    found = rates(DEVICE, 4.8e9, 1e9, "float32", 2e-3)
    assert found.gb_per_s == pytest.approx(2400)
    assert found.memory_share == pytest.approx(2400 / DEVICE.memory_gb_per_s)
    assert found.gflop_per_s == pytest.approx(500)
    assert found.compute_share == pytest.approx(5e11 / DEVICE.peak_flops("float32"))
    assert not found.above_peak
    assert not found.fits_l2


def test_a_rate_that_no_memory_can_reach_is_flagged() -> None:
    found = rates(DEVICE, 12e6, 1e6, "float32", 1e-6)
    assert found.above_peak
    assert found.fits_l2
