# SPDX-License-Identifier: MIT
"""What recording costs, by how the clock is built and by how many blocks are recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from threadloom.backends.cuda import CudaBackend
from threadloom.backends.cuda.block_profiler import Recording, slowdown
from threadloom.backends.cuda.compilation import build
from threadloom.backends.cuda.instrumented_source import Clock, recorded_source
from threadloom.backends.cuda.loaded import enqueuer, resources_of
from threadloom.model.program import Program
from threadloom_kernels import default_launch, discover, make_arguments, read_source

KERNELS = (
    ("sigmoid", "grid", 28_000_000),
    ("vector_add", "grid", 28_000_000),
    ("reduce_sum", "shared_tree", 28_000_000),
    ("conv2d", "naive", 4000),
    ("matrix_add", "grid", 4000),
    ("tensor_add", "grid", 400),
    ("matmul", "shared_tile", 512),
)
"""Those that the first way of recording slowed most, and one that it hardly did."""
SHIFTS = (0, 1, 2, 3)


def recording_costs(backend: CudaBackend) -> dict[str, Any]:
    """Slow-down of each kernel with each clock, and of the one in use also with fewer blocks."""
    rows = [row for kernel in KERNELS for row in _rows(backend, *kernel)]
    summary = [
        f"{row['name']:<34} {row['clock']:<22} every {row['stride']}: {row['slowed']:+.1%}"
        for row in rows
    ]
    return {"rows": rows, "summary": summary}


def _rows(backend: CudaBackend, name: str, variant_name: str, size: int) -> list[dict[str, Any]]:
    operation = discover()[name]
    variant = operation.variant(variant_name)
    bare = {axis.name: size for axis in operation.axes if axis.set_by_bare_size}
    sizes = operation.sizes(bare)
    program = Program(read_source(operation, variant, "float32"), variant.entry, variant.file)
    compiled = backend.compile(program)
    launch = default_launch(variant, sizes, 4)
    values = make_arguments(operation, sizes, "float32", seed=1)
    usual = Clock.of(launch)
    clocks = {
        "in use": usual,
        "no cache hint": replace(usual, store=""),
        "64 bits": replace(usual, wide=True),
    }
    found = []
    with backend._prepared(compiled, launch, values) as (memory, plain):
        watch, cuda = backend._stopwatch(), backend._context.cuda
        watch.warm_up(plain)
        for word, clock in clocks.items():
            text = recorded_source(program.text, program.entry, clock)
            built = build(
                replace(program, text=text), compiled.signature, backend.device.architecture
            )
            function = built.module.get_function(built.symbol)
            recorded = enqueuer(cuda, function, resources_of(function), launch, memory)
            recording = Recording(cuda, built.module, launch, clock)
            watch.warm_up(recorded)
            for shift in SHIFTS if clock is usual else SHIFTS[:1]:
                recording.sample(shift)
                slowed = slowdown(watch, plain, recorded)
                found.append(
                    {
                        "name": f"{name}/{variant_name} {size}",
                        "clock": word,
                        "stride": 1 << shift,
                        "slowed": slowed,
                        "registers": (
                            compiled.resources.registers,
                            int(function.num_regs),
                        ),
                    }
                )
    return found
