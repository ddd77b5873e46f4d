# SPDX-License-Identifier: MIT

import json
from collections.abc import Mapping
from importlib import resources

import pytest

from threadloom.model.capability import CAPABILITIES
from threadloom.model.device import DeviceModel
from threadloom.model.provenance import Provenance
from threadloom.services.devices.device_table import (
    DeviceTableError,
    UnknownDeviceError,
    find,
    load,
    parse,
)

THREADS_PER_SM: Mapping[tuple[int, int], int] = {
    (7, 5): 1024,
    (8, 0): 2048,
    (8, 6): 1536,
    (8, 7): 1536,
    (8, 9): 1536,
    (9, 0): 2048,
    (10, 0): 2048,
    (12, 0): 1536,
}
"""From the table "Technical Specifications" of the CUDA Programming Guide."""
TFLOPS = {
    "T4": 8.1,
    "A100 40GB": 19.5,
    "A100 80GB": 19.5,
    "A10": 31.2,
    "RTX 3090": 35.6,
    "RTX 4090": 82.6,
    "L4": 30.3,
    "L40S": 91.6,
    "H100 SXM": 67,
    "H200": 67,
    "RTX 5090": 104.8,
    "RTX 5080": 56.3,
    "RTX 5070": 30.9,
    "RTX 2080 Ti": 13.4,
    "RTX 4060": 15.1,
    "RTX 3060": 12.7,
}
"""Single-precision peak that the vendor states, in 10¹² a second."""
WIDTHS = {"T4": (256, 10), "RTX 3090": (384, 19.5), "RTX 4090": (384, 21), "RTX 5090": (512, 28)}
"""Memory bus in bits, and rate of a pin in 10⁹ bits a second."""


def test_twelve_or_more_with_distinct_names() -> None:
    names = [model.name for model in load()]
    assert len(names) >= 12
    assert len({name.casefold() for name in names}) == len(names)


@pytest.mark.parametrize("model", load(), ids=lambda model: model.name)
def test_every_device_is_plausible(model: DeviceModel) -> None:
    assert model.max_threads_per_sm == THREADS_PER_SM[model.compute_capability]
    assert 8 <= model.sm_count <= 200
    assert 1000 <= model.clock_mhz <= 3000
    assert 4 << 30 <= model.memory_bytes <= 300 << 30
    assert 100 <= model.memory_gb_per_s <= 10_000
    assert 2 << 20 <= model.l2_bytes <= 256 << 20
    assert model.link_gb_per_s >= 8
    assert model.shared_per_sm >= model.shared_per_block_optin >= model.shared_per_block
    assert model.shared_per_block_optin + model.shared_reserved_per_block <= model.shared_per_sm
    assert model.max_threads_per_block == 1024
    assert tuple(model.max_block) == (1024, 1024, 64)
    assert tuple(model.max_grid) == (2**31 - 1, 65_535, 65_535)
    assert model.provenance is Provenance.MODELED
    assert model.index is None
    assert len(model.source) > 10


@pytest.mark.parametrize("name", TFLOPS)
def test_peak_is_what_the_vendor_states(name: str) -> None:
    assert find(name).peak_flops("float32") / 1e12 == pytest.approx(TFLOPS[name], rel=0.02)


@pytest.mark.parametrize("name", WIDTHS)
def test_bandwidth_is_bus_times_pin_rate(name: str) -> None:
    bits, rate = WIDTHS[name]
    assert find(name).memory_gb_per_s == pytest.approx(bits * rate / 8, rel=0.01)


def test_double_precision_shares() -> None:
    assert find("A100 80GB").peak_flops("float64") / 1e12 == pytest.approx(9.7, rel=0.02)
    assert find("H200").peak_flops("float64") / 1e12 == pytest.approx(34, rel=0.03)
    assert find("RTX 4090").fp64_ratio == 1 / 64


@pytest.mark.parametrize("name", ["RTX 4090", "rtx 4090", "rtx-4090", "RTX4090"])
def test_found_however_it_is_spelt(name: str) -> None:
    assert find(name).name == "RTX 4090"


def test_an_unknown_name_lists_close_ones() -> None:
    with pytest.raises(UnknownDeviceError) as caught:
        find("RTX 4091")
    assert "RTX 4090" in caught.value.near
    assert "RTX 4091" in str(caught.value)


def test_part_of_a_name_lists_all_with_it() -> None:
    with pytest.raises(UnknownDeviceError) as caught:
        find("a100")
    assert set(caught.value.near) >= {"A100 40GB", "A100 80GB"}


def test_nonsense_lists_every_device() -> None:
    with pytest.raises(UnknownDeviceError) as caught:
        find("")
    assert len(caught.value.near) == len(load())


def good() -> dict[str, object]:
    file = resources.files("threadloom_assets") / "devices" / "t4.json"
    data: dict[str, object] = json.loads(file.read_text("utf-8"))
    return data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sm_count": -1}, "Invalid value for sm_count: -1"),
        ({"sm_count": "many"}, "Invalid value for sm_count: 'many'"),
        ({"clock_mhz": True}, "Invalid value for clock_mhz: True"),
        ({"compute_capability": [7, 0]}, "compute capability"),
        ({"compute_capability": [7]}, "compute capability"),
        ({"color": "green"}, "color"),
        ({"source": ""}, "source"),
    ],
)
def test_a_damaged_file_is_refused_by_name(change: dict[str, object], words: str) -> None:
    with pytest.raises(DeviceTableError, match=r"x\.json") as caught:
        parse(json.dumps(good() | change), "x.json")
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "{}", "null"])
def test_what_is_no_device_is_refused(text: str) -> None:
    with pytest.raises(DeviceTableError, match=r"x\.json"):
        parse(text, "x.json")


def test_every_capability_has_ratios_that_make_sense() -> None:
    for row in CAPABILITIES.values():
        assert row.fp64_ratio in {1 / 2, 1 / 32, 1 / 64}
        assert row.max_threads_per_sm % 512 == 0
