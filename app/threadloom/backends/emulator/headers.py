# SPDX-License-Identifier: MIT
"""Which of the engine's headers a kernel needs: without the others compiling is quicker."""

from __future__ import annotations

import re

ALWAYS = "threadloom.h"
_WHEN = {
    "rounding.h": r"__(?:d(?:add|sub|mul|div|rcp|sqrt)|fma|fmaf_ieee|u?ll2double)_r[nzud]\b",
    "vector_intrinsics.h": r"__dp[24]a|__vi(?:max|min|add)|__nv_bswap",
    "special.h": r"erf|norm|bessel|pif?\s*\(|\b[jy][01n]f?\s*\(|hypot|\bnanf?\s*\(|scalbl"
    r"|exp10|rcbrt|ilogb|l?l(?:rint|round)",
    "spaces.h": r"__is(?:Global|Shared|Local)|__cvta_",
    "standard.h": r"\bstd\b",
    "short_floats.h": r"half|bfloat16",
    "complex.h": r"\bcuC|uComplex",
    "atomic_objects.h": r"\bcuda\b",
    "collectives.h": r"cooperative_groups|__pipeline_",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _WHEN.items()}


def included(text: str) -> str:
    """The lines that include what the text may use, as far as its words say; rather too much."""
    names = [ALWAYS, *(name for name, pattern in _PATTERNS.items() if pattern.search(text))]
    return "".join(f'#include "{name}"\n' for name in names)
