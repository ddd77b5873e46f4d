# SPDX-License-Identifier: MIT
"""Names in a module, held against those that NVIDIA's compiler gives."""

import pytest

from threadloom.backends.nvcc import device_compiler
from threadloom.backends.nvcc.cubin import function_names
from threadloom.backends.source import mangled_name, parse

SOURCES = {
    "_Z5scalePffi": "__global__ void scale(float *x, float k, int n) { x[0] = k; }",
    "_Z3addPfPKfS1_i": "__global__ void add(float *c, const float *a, const float *b, int n) {}",
    "_Z1fP6float4PKS_PPfS_PhPKhm": (
        "__global__ void f(float4 *v, const float4 *w, float **p, float4 q, unsigned char *u,"
        " const unsigned char *t, size_t n) {}"
    ),
    "_Z1gP1PPKS_S0_S_": (
        "struct P { int a; };\n__global__ void g(P *v, const P *w, P *__restrict__ z, P y) {}"
    ),
    "_Z1hv": "__global__ void h() {}",
    "_Z1jPvPKvPdi": "__global__ void j(void *p, const void *q, double *const r, const int n) {}",
}


@pytest.mark.parametrize("symbol", SOURCES)
def test_names(symbol: str) -> None:
    (kernel,) = parse(SOURCES[symbol]).kernels
    assert mangled_name(kernel) == symbol


@pytest.mark.skipif(device_compiler() is None, reason="neither NVRTC nor nvcc is here")
def test_names_are_the_compilers() -> None:
    compiler = device_compiler()
    assert compiler is not None
    made = compiler.compile("\n".join(SOURCES.values()), "sm_90", ())
    assert made.cubin is not None, made.log
    assert set(function_names(made.cubin)) == set(SOURCES)


def test_a_template_has_none() -> None:
    (kernel,) = parse("template <class T> __global__ void k(T *x) {}").kernels
    assert mangled_name(kernel) is None
