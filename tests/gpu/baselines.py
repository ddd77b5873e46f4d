# SPDX-License-Identifier: MIT
"""Baselines by name: the C loop on one and on all threads, NumPy, CuPy and PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.cuda import CudaBackend
from threadloom.backends.cuda.frameworks import framework_times
from threadloom.backends.host import (
    c_loop,
    c_loop_label,
    measure,
    numpy_label,
    numpy_samples,
    threaded_loop,
    threaded_loop_label,
)
from threadloom.model.array import Array, Values
from threadloom.model.operation import Operation, Role
from threadloom.model.program import Program
from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.services.run.compare import compare
from threadloom_kernels import default_launch, discover, make_arguments, read_loop, read_source

SIZES = {1: 10_000_000, 2: 2048, 3: 512}
"""By the number of axes that a bare size sets."""
RULE = StoppingCriterion(min_samples=5, max_samples=20, time_limit_s=0.2)


def collect(_out: Path) -> dict[str, Any]:
    """One row for each operation, with every baseline that there is for it."""
    backend = CudaBackend(0)
    rows = [_row(backend, operation) for operation in discover().values()]
    wrong = [
        f"{row['operation']} {name}"
        for row in rows
        for name, held in row["matches"].items()
        if not held
    ]
    by_name = {row["operation"]: row["times"] for row in rows}
    frameworks = [name for name in by_name["matmul"] if name.startswith(("CuPy", "PyTorch"))]
    summary = [
        f"{len(rows)} operations; frameworks {frameworks}; results that differ: {wrong}",
        *(f"{row['operation']} {row['sizes']}: {_told(row['times'])}" for row in rows),
    ]
    return {"rows": rows, "ok": not wrong and bool(frameworks), "summary": summary}


def _row(backend: CudaBackend, operation: Operation) -> dict[str, Any]:
    bare = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    sizes = operation.sizes(dict.fromkeys(bare, SIZES[len(bare)]))
    values = make_arguments(operation, sizes, "float32", seed=1)
    read = {a.name for a in operation.arguments if a.role in {Role.IN, Role.INOUT}}
    inputs = {name: np.asarray(values[name]) for name in read}
    outputs = {name: np.asarray(values[name]) for name in operation.outputs}
    reference = operation.reference(inputs, sizes)
    times = {str(numpy_label()): numpy_samples(operation.reference, inputs, sizes, RULE)}
    times |= _loops(operation, values, sizes)
    times |= {f"kernel {operation.variants[0].name}": _kernel(backend, operation, values, sizes)}
    matches: dict[str, bool] = {}
    try:
        frameworks = framework_times(
            backend._context, backend._stopwatch(), operation, inputs, outputs, RULE
        )
    except Exception as error:  # noqa: BLE001 - a framework may refuse in ways of its own
        frameworks = ()
        matches[f"{type(error).__name__}: {error}"] = False
    for found in frameworks:
        times[str(found.label)] = found.warm
        matches[str(found.label)] = _matches(operation, sizes, reference, found.outputs)
    return {
        "operation": operation.name,
        "sizes": sizes,
        "times": {name: samples.median_s for name, samples in times.items()},
        "samples": {name: samples.seconds for name, samples in times.items()},
        "matches": matches,
    }


def _loops(operation: Operation, values: Values, sizes: Mapping[str, int]) -> dict[str, Samples]:
    if operation.flops(sizes) > 3e9:
        return {}
    source = read_loop(operation, "float32")
    loop = c_loop(source, values)
    found = {str(c_loop_label()): measure(loop, RULE, loop.repeat)}
    if operation.row_axis:
        with threaded_loop(source, values, operation.row_arrays, operation.row_axis) as threads:
            found[str(threaded_loop_label(threads.threads))] = measure(threads, RULE)
    return found


def _kernel(
    backend: CudaBackend, operation: Operation, values: Values, sizes: Mapping[str, int]
) -> Samples:
    variant = operation.variants[0]
    compiled = backend.compile(Program(read_source(operation, variant, "float32"), variant.entry))
    launch = default_launch(variant, sizes, 4)
    (found,) = backend.launches(compiled, [launch], values, RULE)
    return found


def _matches(
    operation: Operation,
    sizes: Mapping[str, int],
    reference: Mapping[str, Array],
    outputs: Mapping[str, Array],
) -> bool:
    tolerance = operation.tolerance(sizes, np.dtype("float32"))
    return all(compare(name, outputs[name], reference[name], tolerance).matches for name in outputs)


def _told(times: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {seconds * 1e6:,.1f} µs" for name, seconds in times.items())
