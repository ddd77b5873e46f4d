# SPDX-License-Identifier: MIT
"""NumPy as a baseline, with its version and threads by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import threadpoolctl  # type: ignore[import-untyped]

from threadloom.backends.host.measurement import measure
from threadloom.model.array import Array, Sizes
from threadloom.model.message import Message, ngettext
from threadloom.model.operation import Reference
from threadloom.model.timing.samples import Samples, StoppingCriterion

_NAMES = {
    "openblas": "OpenBLAS",
    "mkl": "MKL",
    "blis": "BLIS",
    "flexiblas": "FlexiBLAS",
    "accelerate": "Accelerate",
}


def numpy_samples(
    reference: Reference, inputs: Mapping[str, Array], sizes: Sizes, rule: StoppingCriterion
) -> Samples:
    """Time an operation's NumPy reference on these inputs."""
    return measure(lambda: reference(inputs, sizes), rule)


def numpy_label() -> Message:
    """Such as ``NumPy 2.4, OpenBLAS on 2 threads``: only its linear algebra uses more than one."""
    threads = blas_threads()
    version = ".".join(np.__version__.split(".")[:2])
    text = ngettext(
        "NumPy {version}, {blas} on {threads} thread",
        "NumPy {version}, {blas} on {threads} threads",
        threads,
    )
    return text.format(version=version, blas=blas_name(), threads=threads)


def blas_name() -> str:
    """Library of NumPy's linear algebra, as its makers write it; "BLAS" where that is not known."""
    found = next((str(p["internal_api"]) for p in _blas_pools()), "")
    return _NAMES.get(found, found or "BLAS")


def blas_threads() -> int:
    """Threads that NumPy's linear algebra uses."""
    return max((int(p["num_threads"]) for p in _blas_pools()), default=1)


def _blas_pools() -> list[dict[str, Any]]:
    return [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
