# SPDX-License-Identifier: MIT
"""Errors that nvcc finds in a source are found, too, and have their line."""

from __future__ import annotations

from typing import Any

import pytest

from threadloom.backends.base import CompileError, NotEmulatedError

ERRORS = {
    "__global__ int k(int *o) { return 1; }\n": ("void return type", 1),
    "struct P {\n  float x;\n  float twice() { return 2 * x; }\n};\n"
    "__global__ void k(float *o) {\n  P p;\n  o[0] = p.twice();\n}\n": ('host function "twice"', 7),
    "__global__ void k(int *o, int n) {\n  int a[n];\n  o[0] = a[0];\n}\n": (
        "must be a constant",
        2,
    ),
    "__global__ void k(float *o) {\n  o[threadIdx.x] = 1\n}\n": ('expected a ";"', 2),
    "__global__ void k(float *o) {\n  if (o[0] > 1) {\n    o[0] = 1;\n}\n": ("never closed", 1),
    "__global__ void k(float *o) {\n  if (o[0] > 1) {\n    o[0] = 1;\n}\n"
    "int main() { cudaFree(0); }\n": ("never closed", 1),
    "#include <cuda_fp16.h>\n__global__ void k(half *h) {\n  h[0] = h[1] * 2.0f;\n}\n": (
        "ambiguous",
        3,
    ),
    "__global__ void k(float *o) {\n  __shared__ float s[2] = {1, 2};\n  o[0] = s[0];\n}\n": (
        "initializer",
        2,
    ),
}


@pytest.mark.parametrize("text", ERRORS)
def test_what_nvcc_rejects_has_its_line(lab: Any, text: str) -> None:
    words, line = ERRORS[text]
    with pytest.raises(CompileError) as caught:
        lab.compile(text)
    assert not isinstance(caught.value, NotEmulatedError)
    first = caught.value.diagnostics[0]
    assert words in str(first.message)
    assert first.line == line
