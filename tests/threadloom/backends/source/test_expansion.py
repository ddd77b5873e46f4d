# SPDX-License-Identifier: MIT
"""Macros that hide kernels, qualifiers or shared memory."""

from __future__ import annotations

import pytest

from threadloom.backends.source import parse
from threadloom.backends.source.expansion import expand

EXPANDED = {
    "a whole kernel": (
        "#define K(name, n) __global__ void name(int *o) { o[0] = n; }\nK(k, (1, 2))\n",
        "__global__ void k(int *o) { o[0] = (1, 2); }",
    ),
    "pasted and quoted names": (
        '#define K(op, s) __global__ void k_##op() { f(#op "!"); a = b s c; }\nK(add, +)\n',
        '__global__ void k_add() { f("add" "!"); a = b + c; }',
    ),
    "a list": (
        "#define LIST(X) X(a) X(b)\n#define K(n) __global__ void n() {}\nLIST(K)\n",
        "__global__ void a() {} __global__ void b() {}",
    ),
    "a macro of several lines": (
        "#define HD __host__ \\\n  __device__ // both\nHD int f();\n",
        "__host__    __device__ int f();",
    ),
    "the part that is not empty": (
        "#ifdef __CUDACC__\n#define D __device__\n#else\n#define D\n#endif\nD int f();\n",
        "__device__ int f();",
    ),
    "any number of arguments": (
        "#define S(t, n, ...) __shared__ t n[__VA_ARGS__]\nS(int, s, f(1, 2));\n",
        "__shared__ int s[f(1, 2)];",
    ),
}


@pytest.mark.parametrize(("text", "last"), EXPANDED.values(), ids=EXPANDED.keys())
def test_what_a_macro_stands_for_is_written_out(text: str, last: str) -> None:
    assert expand(text.encode(), {}).text.decode().splitlines()[-1] == last


@pytest.mark.parametrize(
    "line",
    [
        "// K(x)",
        "/* K(x) */",
        'const char *s = "K(x)";',
        "int K = 3;",
        "#if K(1)",
        "int n = PLAIN(2);",
    ],
)
def test_the_rest_stays_as_it_is(line: str) -> None:
    text = f"#define K(n) __global__ void n() {{}}\n#define PLAIN(n) (n + 1)\n{line}\n"
    assert expand(text.encode(), {}).text.decode() == text


def test_lines_and_columns_are_the_users() -> None:
    text = "#define K(n) __global__ void n()\nK(\n  k) { int i; }\nint j;\n"
    whole = expand(text.encode(), {})
    assert whole.text.decode().splitlines()[3] == "int j;"
    assert whole.text.decode().splitlines()[1] == "__global__ void k()"
    assert whole.column(4, 5) == 5
    assert whole.column(2, 12) == 1
    parsed = parse(text)
    assert [(k.name, k.line) for k in parsed.kernels] == [("k", 2)]


def test_a_kernel_in_a_macro_is_not_edited_there() -> None:
    text = "#define K(n) __global__ void n(int *o) { o[0] = 1; }\nK(k)\n__global__ void m() {}\n"
    functions = parse(text).functions
    assert (functions["k"].written, functions["m"].written) == (False, True)


def test_a_macro_of_the_command_line_is_written_out() -> None:
    assert parse("KERNEL k() {}\n", {"KERNEL": "__global__ void"}).kernel("k") is not None
