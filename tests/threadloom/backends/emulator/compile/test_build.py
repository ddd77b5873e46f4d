# SPDX-License-Identifier: MIT
"""Headers are included where a kernel's words need them, and only there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.emulator.compile.build import included


def test_a_plain_kernel_needs_none_but_the_first() -> None:
    text = "__global__ void k(float *o) { o[threadIdx.x] = sqrtf(threadIdx.x) + __popc(3); }"
    assert included(text) == '#include "device/threadloom.h"\n'


@pytest.mark.parametrize(
    ("word", "header"),
    [
        ("__dadd_rz(a, b)", "directed_rounding.h"),
        ("__dp4a(a, b, c)", "vector_intrinsics.h"),
        ("sincospif(x, &s, &c)", "special_functions.h"),
        ("jn(2, x)", "special_functions.h"),
        ("__isShared(p)", "address_spaces.h"),
        ("std::max(a, b)", "standard_library.h"),
        ("__nv_bfloat162 p", "short_floats.h"),
        ("cuCmulf(a, b)", "complex.h"),
        ("cuda::atomic_ref<int> r", "atomic_objects.h"),
        ("namespace cg = cooperative_groups;", "collectives.h"),
        ("__pipeline_commit()", "collectives.h"),
    ],
)
def test_a_word_brings_its_header(word: str, header: str) -> None:
    assert f'"device/{header}"' in included(word)


def test_further_functions_are_there(lab: Any) -> None:
    text = """__global__ void k(double *o, double x, float *v) {
    double s, c; sincospi(x, &s, &c);
    o[0] = jn(2, x); o[1] = yn(2, x); o[2] = erfcx(20 * x); o[3] = s; o[4] = c;
    o[5] = rhypot(3., 4.); o[6] = normf(4, v); o[7] = scalbln(x, 3L);
    o[8] = __isShared(o) + 2 * __isGlobal(o) + 4 * __isLocal(&s);
    char4 ones = make_char4(1, 1, 1, 1);
    o[9] = (int)__vavgs2(0x00030001, 0x00020002) + __dp4a(make_char4(1, 2, 3, -4), ones, 0);
    o[10] = __viaddmax_s32(3, 4, 5) + __vimax3_s32(1, 9, 2) + __vimin_s32_relu(-3, 4);
}"""
    v = np.array([1, 2, 4, 10], np.float32)
    out = lab.both(text, (1,), (1,), o=np.zeros(11), x=np.float64(0.5), v=v).arrays["o"]
    wanted = [0.030604023458682638, -5.441370837174266, 0.05614099274382259, 1, 0, 0.2, 11, 4, 6]
    np.testing.assert_allclose(out[:9], wanted, rtol=1e-12, atol=1e-15)
    assert out[9:].tolist() == [0x00030002 + 2, 7 + 9 + 0]
