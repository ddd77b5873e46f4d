# SPDX-License-Identifier: MIT
"""A sweep over block sizes on one GPU and spread over two; and that either can be chosen."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.cuda import CudaBackend, find_gpus
from threadloom.backends.cuda.spread import time_on_gpus
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.timing.samples import Samples, StopRule
from threadloom_kernels import discover, make_arguments, read_source

SHAPES = [Dim3(x, y) for x in (4, 8, 16, 32, 64, 128) for y in (1, 2, 4, 8, 16) if x * y <= 1024]
SIZE = 1024
RULE = StopRule(least=60, most=3000, relative_error=0.0005, time_limit_s=1.2)
MOST_SHARE = 0.6


def collect(_out: Path) -> dict[str, Any]:
    """Times of both sweeps and of every launch."""
    gpus = find_gpus()
    if len(gpus) < 2:
        return {"ok": False, "summary": [f"needs two GPUs; {len(gpus)} are here"]}
    program, arguments, launches = _matmul()
    names = [_runs_on(index, program, launches[8], arguments) for index in range(2)]
    one, one_s = _swept((0,), program, launches, arguments)
    two, two_s = _swept((0, 1), program, launches, arguments)
    share = two_s / one_s
    rows: list[dict[str, Any]] = [
        {
            "block": tuple(launch.block),
            "one_s": alone[1].median_s,
            "two_s": spread[1].median_s,
            "device": spread[0],
            "seconds": spread[1].seconds,
        }
        for launch, alone, spread in zip(launches, one, two, strict=True)
    ]
    off = [abs(row["two_s"] / row["one_s"] - 1) for row in rows]
    used = {device for device, _samples in two}
    ok = share <= MOST_SHARE and used == {0, 1} and all(names)
    return {
        "rows": rows,
        "one_s": one_s,
        "two_s": two_s,
        "share": share,
        "ok": ok,
        "summary": [
            f"{'yes' if share <= MOST_SHARE else 'NO '} {len(rows)} block shapes: {one_s:.1f} s on "
            f"one GPU, {two_s:.1f} s on two, share {share:.2f} of at most {MOST_SHARE}",
            f"results of both GPUs right: {names}; medians differ by {max(off):.2%} at most",
        ],
    }


def _matmul() -> tuple[Program, Any, list[Launch]]:
    operation = discover()["matmul"]
    variant = operation.variant("naive")
    sizes = operation.sizes({"m": SIZE, "n": SIZE, "k": SIZE})
    arguments = make_arguments(operation, sizes, "float32", seed=1)
    launches = [Launch(variant.rule.grid(sizes, block), block) for block in SHAPES]
    program = Program(read_source(operation, variant, "float32"), variant.entry)
    return program, arguments, launches


def _swept(
    devices: tuple[int, ...], program: Program, launches: list[Launch], arguments: Any
) -> tuple[tuple[tuple[int, Samples], ...], float]:
    begin = time.perf_counter()
    found = time_on_gpus(devices, program, launches, arguments, RULE)
    return found, time.perf_counter() - begin


def _runs_on(index: int, program: Program, launch: Launch, arguments: Any) -> bool:
    backend = CudaBackend(index)
    product = backend.run(backend.compile(program), launch, arguments).arrays["C"]
    expected = arguments["A"] @ arguments["B"]
    return bool(np.allclose(product, expected, rtol=1e-3, atol=1e-3))
