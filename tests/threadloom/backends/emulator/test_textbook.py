# SPDX-License-Identifier: MIT
"""Kernels as textbooks have them, run by the emulator, against NumPy."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from threadloom.backends.base import Backend
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array, Value
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.services.devices import device_table

FOLDER = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "kernels"


@pytest.fixture(scope="module")
def engine() -> Backend:
    return EmulatorBackend(device_table.find("RTX 4090"))


@pytest.fixture(scope="module")
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


class Kernel:
    """One kernel of a file; a call launches it and checks that it does nothing forbidden."""

    def __init__(self, engine: Backend, file: str, entry: str) -> None:
        self._engine = engine
        text = (FOLDER / file).read_text("utf-8")
        self._compiled = engine.compile(Program(text, entry, file))

    def __call__(
        self, grid: Dim3, block: Dim3, shared_bytes: int = 0, **arguments: Value
    ) -> Mapping[str, Array]:
        launch = Launch(grid, block, shared_bytes)
        ran = self._engine.run(self._compiled, launch, arguments).arrays
        observed = self._engine.trace(self._compiled, launch, arguments)
        trace = observed.trace
        assert (trace.races, trace.violations) == ((), ())
        for name, array in ran.items():
            np.testing.assert_array_equal(observed.outputs.arrays[name], array)
        return ran


@pytest.mark.parametrize(("height", "width"), [(1, 1), (16, 16), (37, 70)])
def test_tiled_transpose(engine: Backend, height: int, width: int) -> None:
    values = np.arange(height * width, dtype=np.float32).reshape(height, width)
    out = Kernel(engine, "transpose.cu", "transpose")(
        Dim3(ceil_div(width, 16), ceil_div(height, 16)),
        Dim3(16, 16),
        a=values,
        b=np.zeros((width, height), np.float32),
        height=np.int32(height),
        width=np.int32(width),
    )
    np.testing.assert_array_equal(out["b"], values.T)


@pytest.mark.parametrize("step", range(1, 8))
def test_tree_reduction_in_seven_steps(engine: Backend, step: int) -> None:
    kernel = Kernel(engine, "reduction.cu", f"step{step}")
    for n in (1, 127, 128, 1000):
        x = (np.arange(n) % 17 + 1).astype(np.float32)
        per_block = 128 if step < 4 else 256
        grid = 3 if step == 7 else ceil_div(n, per_block)
        out = kernel(Dim3(grid), Dim3(128), x=x, sums=np.zeros(grid, np.float32), n=np.int32(n))
        assert out["sums"].sum() == x.sum()
        if step < 7:
            starts = np.arange(0, n, per_block)
            np.testing.assert_array_equal(out["sums"], np.add.reduceat(x, starts))


@pytest.mark.parametrize("n", [1, 64, 100, 1000])
def test_blelloch_scan(engine: Backend, rng: np.random.Generator, n: int) -> None:
    threads = 64
    grid = ceil_div(n, 2 * threads)
    values = rng.integers(-9, 10, n, dtype=np.int32)
    first = Kernel(engine, "scan.cu", "scan")(
        Dim3(grid),
        Dim3(threads),
        2 * threads * 4,
        x=values,
        out=np.zeros(n, np.int32),
        totals=np.zeros(grid, np.int32),
        n=np.int32(n),
    )
    offsets = (np.cumsum(first["totals"]) - first["totals"]).astype(np.int32)
    whole = Kernel(engine, "scan.cu", "add_offsets")(
        Dim3(ceil_div(n, 256)),
        Dim3(256),
        out=first["out"],
        offsets=offsets,
        per_block=np.int32(2 * threads),
        n=np.int32(n),
    )
    np.testing.assert_array_equal(whole["out"], np.cumsum(values) - values)


def test_histogram_with_bins_per_block(engine: Backend, rng: np.random.Generator) -> None:
    data = rng.binomial(255, 0.3, 5000).astype(np.uint8)
    out = Kernel(engine, "histogram.cu", "histogram")(
        Dim3(4), Dim3(96), data=data, bins=np.zeros(256, np.uint32), n=np.int32(data.size)
    )
    np.testing.assert_array_equal(out["bins"], np.bincount(data, minlength=256))


@pytest.mark.parametrize("n", [1, 128, 300])
def test_bitonic_sort(engine: Backend, rng: np.random.Generator, n: int) -> None:
    data = rng.integers(-1000, 1000, n, dtype=np.int32)
    out = Kernel(engine, "bitonic.cu", "bitonic_sort")(
        Dim3(ceil_div(n, 128)), Dim3(64), 128 * 4, data=data, n=np.int32(n)
    )
    parts = [np.sort(data[first : first + 128]) for first in range(0, n, 128)]
    np.testing.assert_array_equal(out["data"], np.concatenate(parts))


@pytest.mark.parametrize("n", [1, 3, 64, 65, 200])
def test_stencil_of_one_dimension(engine: Backend, rng: np.random.Generator, n: int) -> None:
    values = rng.integers(0, 100, n, dtype=np.int32)
    out = Kernel(engine, "stencil.cu", "stencil_1d")(
        Dim3(ceil_div(n, 64)),
        Dim3(64),
        before=values,
        after=np.zeros(n, np.int32),
        n=np.int32(n),
    )
    padded = np.pad(values, 3)
    np.testing.assert_array_equal(out["after"], sum(padded[d : d + n] for d in range(7)))


@pytest.mark.parametrize(("height", "width"), [(1, 1), (16, 16), (21, 40)])
def test_stencil_of_two_dimensions(
    engine: Backend, rng: np.random.Generator, height: int, width: int
) -> None:
    plate = rng.random((height, width), np.float32)
    out = Kernel(engine, "stencil.cu", "stencil_2d")(
        Dim3(ceil_div(width, 16), ceil_div(height, 16)),
        Dim3(16, 16),
        before=plate,
        after=np.zeros_like(plate),
        height=np.int32(height),
        width=np.int32(width),
        rate=np.float32(0.2),
    )
    expected = plate.copy()
    here = plate[1:-1, 1:-1]
    around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
    expected[1:-1, 1:-1] = here + np.float32(0.2) * (around - 4 * here)
    np.testing.assert_allclose(out["after"], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("entry", "per_row"), [("thread_per_row", 1), ("warp_per_row", 32)])
def test_sparse_matrix_times_vector(
    engine: Backend, rng: np.random.Generator, entry: str, per_row: int
) -> None:
    rows, width = 50, 80
    dense = rng.random((rows, width)) * (rng.random((rows, width)) < 0.2)
    dense[7] = 0  # an empty row
    dense[8] = 1  # a full one
    used = dense != 0
    x = rng.random(width)
    out = Kernel(engine, "spmv.cu", entry)(
        Dim3(ceil_div(rows * per_row, 64)),
        Dim3(64),
        starts=np.concatenate([[0], np.cumsum(used.sum(1))]).astype(np.int32),
        columns=np.nonzero(used)[1].astype(np.int32),
        values=dense[used],
        x=x,
        y=np.full(rows, np.nan),
        rows=np.int32(rows),
    )
    np.testing.assert_allclose(out["y"], dense @ x, rtol=1e-12)


def test_bodies_that_pull_on_each_other(engine: Backend, rng: np.random.Generator) -> None:
    n = 70
    bodies = rng.random((n, 4), np.float32)
    zeros = np.zeros(n, np.float32)
    out = Kernel(engine, "nbody.cu", "nbody")(
        Dim3(ceil_div(n, 32)),
        Dim3(32),
        32 * 16,
        bodies=bodies,
        ax=zeros,
        ay=zeros.copy(),
        az=zeros.copy(),
        n=np.int32(n),
    )
    places, mass = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64)
    apart = places[None] - places[:, None]
    weight = mass / (np.square(apart).sum(2) + 0.01) ** 1.5
    expected = np.einsum("ij,ijk->ik", weight, apart)
    found = np.stack([out["ax"], out["ay"], out["az"]], axis=1)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_mandelbrot_set(engine: Backend) -> None:
    width, height, most = 50, 33, 40
    left, top, pixel = -2.013, 1.107, 0.0625
    out = Kernel(engine, "mandelbrot.cu", "mandelbrot")(
        Dim3(ceil_div(width, 16), ceil_div(height, 16)),
        Dim3(16, 16),
        steps=np.zeros((height, width), np.int32),
        width=np.int32(width),
        height=np.int32(height),
        left=np.float64(left),
        top=np.float64(top),
        pixel=np.float64(pixel),
        most=np.int32(most),
    )
    c = left + pixel * np.arange(width) + 1j * (top - pixel * np.arange(height)[:, None])
    z, steps = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(most):
        inside = np.abs(z) <= 2
        steps += inside
        z = np.where(inside, z * z + c, z)
    np.testing.assert_array_equal(out["steps"], steps)
    assert len(np.unique(steps)) > 10


def test_game_of_life(engine: Backend) -> None:
    kernel = Kernel(engine, "life.cu", "life")
    world = np.zeros((20, 30), np.uint8)
    world[1:4, 1:4] = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]  # a glider
    now = world
    for _ in range(4):
        now = kernel(
            Dim3(4, 3),
            Dim3(8, 8),
            now=now,
            next=np.zeros_like(now),
            height=np.int32(20),
            width=np.int32(30),
        )["next"]
    np.testing.assert_array_equal(now, np.roll(world, (1, 1), (0, 1)))
