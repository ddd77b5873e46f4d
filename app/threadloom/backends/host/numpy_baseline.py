# SPDX-License-Identifier: MIT
"""NumPy as a baseline, with its version and threads by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import threadpoolctl  # type: ignore[import-untyped]

from threadloom.backends.host.measurement import measure
from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Reference
from threadloom.model.samples import Samples, StopRule
from threadloom.text import ngettext


def numpy_samples(
    reference: Reference, inputs: Mapping[str, Array], sizes: Sizes, rule: StopRule
) -> Samples:
    """Time an operation's NumPy reference on these inputs."""
    return measure(lambda: reference(inputs, sizes), rule)


def numpy_label() -> str:
    """Such as ``NumPy 2.4, 2 BLAS threads``: only its linear algebra uses more than one."""
    threads = blas_threads()
    version = ".".join(np.__version__.split(".")[:2])
    text = ngettext(
        "NumPy {version}, {threads} BLAS thread", "NumPy {version}, {threads} BLAS threads", threads
    )
    return text.format(version=version, threads=threads)


def blas_threads() -> int:
    """Threads that NumPy's linear algebra uses."""
    pools = threadpoolctl.threadpool_info()
    return max((int(p["num_threads"]) for p in pools if p["user_api"] == "blas"), default=1)
