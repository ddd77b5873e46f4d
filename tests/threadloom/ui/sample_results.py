# SPDX-License-Identifier: MIT
"""Runs and sweeps as values, for views that only show them; nothing is run for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.run_records import make_run

from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import Message
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Parameter, Resources, Signature
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.schedule import modeled_timeline
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey, Timing
from threadloom.model.trace import AccessKind, BlockTrace, Coverage, Site, Space, Trace
from threadloom.services.bench.break_even import break_even
from threadloom.services.devices import device_table
from threadloom.services.messages.sweep import SweepResult
from threadloom.services.storage.workspace import Workspace
from threadloom_kernels import discover, read_source


def device(name: str = "RTX 4090") -> DeviceModel:
    return next(model for model in device_table.load() if model.name == name)


def samples(median: float, *, runs: int = 5, spread: float = 0.02, met: bool = True) -> Samples:
    steps = np.linspace(-spread / 2, spread / 2, runs) if runs > 1 else np.zeros(1)
    return Samples(tuple(float(median * (1 + step)) for step in steps), converged=met)


def timing(key: SeriesKey, label: str, taken: Samples, source: Provenance) -> Timing:
    return Timing(key, Message(label), taken, source, "RTX 4090")


def timings(n: int, source: Provenance = Provenance.MODELED) -> tuple[Timing, ...]:
    """Bars as for a vector add; the figures are made up."""
    runs = 1 if source is Provenance.MODELED else 5
    kernel, h2d, d2h = 2e-6 + n * 1.3e-11, 8e-6 + n * 1.1e-9, 8e-6 + n * 5.7e-10
    total = kernel + h2d + d2h
    host = Provenance.MEASURED
    return (
        timing(SeriesKey.C_LOOP, "C loop, 1 thread", samples(1e-7 + n * 4.3e-10), host),
        timing(SeriesKey.NUMPY, "NumPy 2.4, 1 thread", samples(6e-7 + n * 3.5e-10), host),
        timing(SeriesKey.KERNEL, "Kernel", samples(kernel, runs=runs), source),
        timing(SeriesKey.H2D, "H2D copy", samples(h2d, runs=runs), source),
        timing(SeriesKey.D2H, "D2H copy", samples(d2h, runs=runs), source),
        timing(SeriesKey.TOTAL, "Kernel and transfers", samples(total, runs=runs), source),
    )


def vector_job(n: int, **changes: object) -> Job:
    return Workspace(sizes={"n": n}).with_(**changes).job()


def vector_run(
    n: int = 1_000, block: int = 2, source: Provenance = Provenance.MODELED, **changes: object
) -> Run:
    """A vector add by 256 threads a block, with every access of one block."""
    operation = discover(None)["vector_add"]
    launch = Launch(Dim3(-(-n // 256)), Dim3(256))
    on = device()
    held = occupancy(on, launch, Resources(registers=12))
    block = min(block, launch.grid.x - 1)
    return make_run(
        job=vector_job(n, **changes),
        launch=launch,
        engine=Engine.EMULATOR,
        device=on,
        signature=_vec_add(),
        source=read_source(operation, "grid", "float32"),
        resources=Resources(registers=12),
        comparisons=(Comparison("c", n, 0, 0.0, 1e-6),),
        outputs={"c": np.zeros(n, np.float32)},
        trace=_vector_trace(n, block),
        occupancy=held,
        timeline=modeled_timeline(on, launch, held, 6e-6),
        timings=timings(n, source),
    )


def refused_run(threads: int = 500_000) -> Run:
    """One block that is too large."""
    job = vector_job(
        threads, variant="one_block", block=Dim3(threads), grid=Dim3(1), grid_follows_size=False
    )
    return make_run(job, Launch(Dim3(1), Dim3(threads)), Engine.EMULATOR, device())


def sweep(
    sizes: Sequence[int] = (1_000, 10_000, 100_000, 1_000_000),
    source: Provenance = Provenance.MODELED,
    *,
    skip_loop_from: int | None = None,
    complete: bool = True,
) -> SweepResult:
    """Times over sizes, by the same made-up figures as the bars."""
    keys = (SeriesKey.C_LOOP, SeriesKey.NUMPY, SeriesKey.KERNEL, SeriesKey.TOTAL)
    series = tuple(_series(key, sizes, source, skip_loop_from) for key in keys)
    return SweepResult(
        job=vector_job(1_000_000),
        launch_text=Message("256 threads per block, grid follows size"),
        axis=Message("n, elements"),
        series=series,
        break_even=break_even(series),
        environment={"device": "RTX 4090", "numpy": "2.4.6", "cpu": "a CPU", "date": "2026-01-02"},
        all_match=True,
        complete=complete,
    )


def _series(
    key: SeriesKey, sizes: Sequence[int], source: Provenance, skip_from: int | None
) -> Series:
    host = key in {SeriesKey.C_LOOP, SeriesKey.NUMPY}
    points = []
    label = Message("")
    for size in sizes:
        found = next(one for one in timings(size, source) if one.key is key)
        label = found.label
        if key is SeriesKey.C_LOOP and skip_from is not None and size >= skip_from:
            points.append(
                Point(size, None, Message("One run would take about 11 s, over the limit of 10 s."))
            )
        else:
            points.append(Point(size, found.samples))
    return Series(
        key=key,
        label=label,
        provenance=Provenance.MEASURED if host else source,
        engine=Engine.HOST if host else Engine.EMULATOR,
        device="a CPU" if host else "RTX 4090",
        baseline=Message(""),
        points=tuple(points),
    )


def _vec_add() -> Signature:
    arrays = [Parameter(name, "float", True, name != "c") for name in "abc"]
    return Signature("vec_add", (*arrays, Parameter("n", "int", False, False)), 6)


def block_trace(
    block: Dim3, columns: Sequence[tuple[Array, int, Array, Array, int]], arrays: tuple[str, ...]
) -> BlockTrace:
    """Accesses step by step: threads, site, elements, addresses and array of each step."""
    threads = np.concatenate([column[0] for column in columns]).astype(np.int32)
    steps = [np.full(len(column[0]), step) for step, column in enumerate(columns)]
    sites = [np.full(len(column[0]), column[1]) for column in columns]
    of_array = [np.full(len(column[0]), column[4]) for column in columns]
    return BlockTrace(
        block=block,
        thread=threads,
        step=np.concatenate(steps).astype(np.int32),
        site=np.concatenate(sites).astype(np.int32),
        element=np.concatenate([column[2] for column in columns]).astype(np.int64),
        address=np.concatenate([column[3] for column in columns]).astype(np.uint64),
        size=np.full(len(threads), 4, np.uint8),
        value=np.zeros(len(threads)),
        array=np.concatenate(of_array).astype(np.int32),
        arrays=arrays,
    )


def _vector_trace(n: int, block: int) -> Trace:
    threads = np.arange(256)
    threads = threads[block * 256 + threads < n]
    index = block * 256 + threads
    stretch = -(-4 * n // 256) * 256
    columns = [(threads, k, index, k * stretch + 4 * index, k) for k in range(3)]
    warps = -(-n // 32)
    kinds = (AccessKind.READ, AccessKind.READ, AccessKind.WRITE)
    sites = tuple(
        Site(13, None, kind, Space.GLOBAL, name, warps, -(-n // 8), -(-n // 8), 0, n)
        for kind, name in zip(kinds, "abc", strict=True)
    )
    owner = np.arange(n, dtype=np.int64)
    coverage = Coverage(
        "c", (n,), owner, np.ones(n, np.uint32), np.zeros(n, np.uint32), np.zeros(n, bool)
    )
    kept = block_trace(Dim3(block, 0, 0), columns, ("a", "b", "c", "n"))
    return Trace({"c": coverage}, sites, 3 * n, block=kept)


def tiled_run(n: int = 512, side: int = 16) -> Run:
    """One block of a tiled matrix product: two tile steps, with reads from shared memory."""
    operation = discover(None)["matmul"]
    grid, block = n // side, Dim3(side, side)
    launch = Launch(Dim3(grid, grid), block)
    at = Dim3(min(12, grid - 1), min(5, grid - 1), 0)
    on = device()
    held = occupancy(on, launch, Resources(registers=38, shared_bytes=2048))
    job = Workspace(
        operation="matmul", variant="shared_tile", sizes={"m": n, "n": n, "k": n}, block=block
    ).job()
    return make_run(
        job=job,
        launch=launch,
        engine=Engine.EMULATOR,
        device=on,
        source=read_source(operation, "shared_tile", "float32"),
        resources=Resources(registers=38, shared_bytes=2048),
        comparisons=(Comparison("c", n * n, 0, 6.1e-5, 5.1e-4),),
        outputs={"c": np.zeros(n * n, np.float32)},
        trace=_tiled_trace(n, side, at),
        occupancy=held,
        timeline=modeled_timeline(on, launch, held, 69.8e-6),
        timings=timings(n * n),
    )


def _tiled_trace(n: int, side: int, at: Dim3) -> Trace:
    threads = np.arange(side * side)
    tx, ty = threads % side, threads // side
    row, col = at.y * side + ty, at.x * side + tx
    stretch = 4 * n * n
    columns: list[tuple[Array, int, Array, Array, int]] = []

    def step(site: int, element: Array, array: int, base: int) -> None:
        columns.append((threads, site, element, base + 4 * element, array))

    for tile in range(2):
        step(0, row * n + tile * side + tx, 0, 0)
        step(1, (tile * side + ty) * n + col, 1, stretch)
        step(2, ty * side + tx, 4, 0)
        step(3, ty * side + tx, 5, 4 * side * side)
        for k in range(3):
            step(4, ty * side + k, 4, 0)
            step(5, k * side + tx, 5, 4 * side * side)
    step(6, row * n + col, 2, 2 * stretch)
    places = [
        (22, AccessKind.READ, Space.GLOBAL, "A"),
        (23, AccessKind.READ, Space.GLOBAL, "B"),
        (22, AccessKind.WRITE, Space.SHARED, "As"),
        (23, AccessKind.WRITE, Space.SHARED, "Bs"),
        (27, AccessKind.READ, Space.SHARED, "As"),
        (27, AccessKind.READ, Space.SHARED, "Bs"),
        (33, AccessKind.WRITE, Space.GLOBAL, "C"),
    ]
    sites = tuple(
        Site(line, None, kind, space, array, 8, *((32, 32) if space is Space.GLOBAL else (0, 0)))
        for line, kind, space, array in places
    )
    kept = block_trace(at, columns, ("A", "B", "C", "n", "As", "Bs"))
    return Trace({}, sites, len(columns) * side * side, block=kept)
