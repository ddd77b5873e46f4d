# SPDX-License-Identifier: MIT
"""Modeled kernel times held against every single-precision time that an H200 measured.

The model is a lower bound in what it knows, so it is usually short of the measurement: by a factor
of 1.5 at the median with counted passes, 1.9 without, kernels left out whose threads wait for each
other's atomics, of which it knows nothing. Problems that fit the L2 cache beat its memory bound.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import numpy as np
import pytest
from tests.paths import DATA_FOLDER

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Program, Resources
from threadloom.model.timing.roofline import Bound, ModeledTimes, modeled_times
from threadloom.model.wavefronts import count_wavefronts
from threadloom.services.devices.device_table import find
from threadloom_kernels import default_launch, discover, make_arguments, read_source

DATA = DATA_FOLDER / "gpu"
H200 = find("H200")
PILOT = {1: 8192, 2: 256, 3: 64}
"""Sizes that are traced, by the number of axes; counts grow with the work from there."""
ATOMICS = {"reduce_sum/atomic", "histogram/atomic", "histogram/shared_bins"}


@dataclass(frozen=True, slots=True)
class Pair:
    name: str
    measured_s: float
    plain: ModeledTimes
    counted: ModeledTimes
    wavefronts: float

    def factor(self, times: ModeledTimes) -> float:
        return math.exp(abs(math.log(times.kernel_s / self.measured_s)))


@cache
def pairs() -> tuple[Pair, ...]:
    record = json.loads((DATA / "operations-h200.json").read_text("utf-8"))
    rows = [r for r in record["rows"] if "kernel_s" in r and r["dtype"] == "float32"]
    return tuple(_pairs(rows))


def _pairs(rows: list[dict[str, Any]]) -> Iterator[Pair]:
    emulator, operations = EmulatorBackend(H200), discover()
    for row in rows:
        operation = operations[row["operation"]]
        variant = operation.variant(row["variant"])
        sizes, dtype = row["sizes"], row["dtype"]
        launch = Launch(Dim3(*row["grid"]), Dim3(*row["block"]), row["shared_bytes"])
        held = occupancy(H200, launch, Resources(**row["resources"]))
        item = np.dtype(dtype).itemsize
        moved, flops = operation.bytes_moved(sizes, item), operation.flops(sizes)
        counted = _rate_of_work(emulator, operation, variant, dtype) * _work(operation, sizes)
        yield Pair(
            f"{operation.name}/{variant.name}",
            row["kernel_s"],
            modeled_times(H200, moved, flops, dtype, launch, held),
            modeled_times(H200, moved, flops, dtype, launch, held, l1_wavefronts=counted),
            counted,
        )


def _rate_of_work(
    emulator: EmulatorBackend, operation: Operation, variant: Variant, dtype: str
) -> float:
    bare = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    sizes = operation.sizes(dict.fromkeys(bare, PILOT[len(bare)]))
    program = Program(read_source(operation, variant, dtype), variant.entry, variant.file)
    launch = default_launch(variant, sizes, np.dtype(dtype).itemsize)
    arguments = make_arguments(operation, sizes, dtype, seed=1)
    seen = emulator.trace(emulator.compile(program), launch, arguments)
    return count_wavefronts(seen.trace.sites) / _work(operation, sizes)


def _work(operation: Operation, sizes: dict[str, int]) -> float:
    return float(max(operation.flops(sizes), operation.bytes_moved(sizes, 1), 1))


def test_counting_brings_the_model_nearer_and_nowhere_farther() -> None:
    known = [pair for pair in pairs() if pair.name not in ATOMICS]
    plain = median(pair.factor(pair.plain) for pair in known)
    counted = median(pair.factor(pair.counted) for pair in known)
    assert counted < 1.6 < 1.8 < plain
    assert all(pair.factor(pair.counted) <= pair.factor(pair.plain) + 0.01 for pair in known)


def test_a_tiled_product_is_bound_by_shared_memory() -> None:
    tiled = [pair for pair in pairs() if pair.name == "matmul/shared_tile"]
    assert tiled
    for pair in tiled:
        assert pair.counted.bound is Bound.L1
        assert pair.counted.kernel_s == pytest.approx(pair.measured_s, rel=0.05)
        assert pair.plain.kernel_s < pair.measured_s / 5


def test_passes_are_a_lower_bound_everywhere() -> None:
    for pair in pairs():
        l1_s = pair.wavefronts / (H200.sm_count * H200.clock_mhz * 1e6)
        assert l1_s <= 1.02 * pair.measured_s, pair.name
