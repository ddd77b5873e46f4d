# SPDX-License-Identifier: MIT
"""What a name that the compiler does not know was most likely meant to be."""

from __future__ import annotations

import difflib
import re

CUDA_NAMES = (
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "__syncthreads",
    "__syncthreads_count",
    "__syncwarp",
    "__shared__",
    "__global__",
    "__device__",
    "__constant__",
    "__restrict__",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__activemask",
    "__threadfence",
    "__ldg",
    "__expf",
    "__logf",
    "__fdividef",
    "__popc",
    "__clz",
    "__ffs",
    "__brev",
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "float2",
    "float4",
    "int2",
    "int4",
    "make_float2",
    "make_float4",
    "sqrtf",
    "rsqrtf",
    "expf",
    "logf",
    "powf",
    "fabsf",
    "fmaf",
    "fmaxf",
    "fminf",
    "sinf",
    "cosf",
    "tanhf",
)
"""Names that CUDA C has beyond C++ (CUDA C++ Programming Guide, language extensions)."""

_PLACES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_JOINED = re.compile(r"^(\w{6,10}?)_?([xyz])$", re.IGNORECASE)
_CLOSE = 0.75
"""Likeness of two names, 0 to 1, from which one is taken for the other."""


def did_you_mean(name: str, known: tuple[str, ...] = ()) -> str | None:
    """The nearest of CUDA's names and those that the source has; None if none is near."""
    joined = _JOINED.match(name)
    if joined:
        place = _nearest(joined[1], _PLACES, 1.0)
        if place:
            return f"{place}.{joined[2].lower()}"
    return _nearest(name, (*CUDA_NAMES, *(k for k in known if k != name)), _CLOSE)


def _nearest(name: str, known: tuple[str, ...], close: float) -> str | None:
    """Case and underscores count little: they are what is mixed up most."""
    plain = {_plain(k): k for k in reversed(known)}
    near = difflib.get_close_matches(_plain(name), plain, 1, close)
    return plain[near[0]] if near else None


def _plain(name: str) -> str:
    return name.strip("_").lower()
