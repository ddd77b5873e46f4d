# SPDX-License-Identifier: MIT
"""Conversions to half, which the compiler leaves to a function of the engine's, against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

TEXT = "__global__ void k(half *o, const double *a) { o[threadIdx.x] = half(a[threadIdx.x]); }"


def test_a_double_is_rounded_once_to_the_nearest_half(lab: Any) -> None:
    rng = np.random.default_rng(3)
    edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.99, 65520, -70000, 2.0**-24, 2.0**-25]
    edges += [2.0**-25 * 1.0000001, 2.0**-26, 2.0**-14, 2.0**-14 * (1 - 2.0**-12), 1 + 2.0**-11]
    edges += [1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-40, 1e-300, 1e300, 5e-324]
    scattered = rng.standard_normal(480) * 2.0 ** rng.integers(-30, 20, 480)
    values = np.concatenate([edges, scattered])
    out = lab.both(TEXT, (1,), (values.size,), o=np.zeros(values.size, np.float16), a=values)
    with np.errstate(over="ignore"):
        wanted = values.astype(np.float16)
    assert out.arrays["o"].view(np.uint16).tolist() == wanted.view(np.uint16).tolist()
