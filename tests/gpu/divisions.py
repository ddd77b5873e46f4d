# SPDX-License-Identifier: MIT
"""What a GPU makes of integer divisions that have no defined result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program

TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}
SOURCE = """\
__global__ void k({kind} *q, {kind} *r, const {kind} *a, const {kind} *b) {{
    int i = threadIdx.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}}
"""


def collect(_out: Path) -> dict[str, Any]:
    """Quotient and remainder of each pair, by type."""
    backend = CudaBackend(0)
    rows = [_row(backend, kind, dtype) for kind, dtype in TYPES.items()]
    summary = [
        f"{row['kind']}: {row['pairs']} → {row['quotients']}, {row['rests']}" for row in rows
    ]
    return {"rows": rows, "ok": True, "summary": summary}


def pairs(dtype: type) -> list[tuple[int, int]]:
    """Small, large and negative numbers by 0; the smallest by -1, where it has a sign."""
    limits = np.iinfo(dtype)
    found = [(0, 0), (7, 0), (int(limits.max), 0)]
    if limits.min < 0:
        found += [(-7, 0), (int(limits.min), 0), (int(limits.min), -1)]
    return found


def _row(backend: CudaBackend, kind: str, dtype: type) -> dict[str, Any]:
    chosen = pairs(dtype)
    a: Array = np.array([above for above, _below in chosen], dtype=dtype)
    b: Array = np.array([below for _above, below in chosen], dtype=dtype)
    given = {"q": np.zeros_like(a), "r": np.zeros_like(a), "a": a, "b": b}
    compiled = backend.compile(Program(SOURCE.format(kind=kind), "k"))
    found = backend.run(compiled, Launch(Dim3(1), Dim3(len(a))), given).arrays
    return {
        "kind": kind,
        "pairs": chosen,
        "quotients": found["q"].tolist(),
        "rests": found["r"].tolist(),
    }
