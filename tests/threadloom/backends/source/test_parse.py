# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.backends.source import (
    StatementKind,
    index_expressions,
    parse,
    prepare,
    statements,
)
from threadloom.backends.source.parsed import ParsedSource, Qualifier
from threadloom.model.program import Parameter, Signature
from threadloom.model.severity import Severity

TILE = """#include <stdio.h>
#define T 16
extern "C" {
extern __shared__ __align__(16) float buf[];
__constant__ float weights[9];
__device__ float twice(float v) { return 2 * v; }
__global__ void __launch_bounds__(T * 16, 2)
mm(float *__restrict__ c, const float *a, unsigned int n, float4 *q, const int shape[])
{
    __shared__ float sa[T][T + 1], total;
    int tx = threadIdx.x;
    int col = blockIdx.x * T + tx;
    float acc = 0.0f;
    for (int k = 0; k < n; ++k) acc += a[k];
    sa[tx][0] = acc;
    __syncthreads();
    if (col < n) c[col] = twice(sa[0][tx]) + buf[0];
}
}
int main() { mm<<<1, 16>>>(0, 0, 1, 0, 0); }
"""


def device_functions(parsed: ParsedSource) -> tuple[str, ...]:
    functions = parsed.functions.values()
    return tuple(one.name for one in functions if one.qualifier is Qualifier.DEVICE)


def test_a_signature() -> None:
    (kernel,) = parse(TILE).kernels
    assert kernel == Signature(
        name="mm",
        parameters=(
            Parameter("c", "float", pointer=True, const=False),
            Parameter("a", "float", pointer=True, const=True),
            Parameter("n", "unsigned int", pointer=False, const=False),
            Parameter("q", "float4", pointer=True, const=False),
            Parameter("shape", "int", pointer=True, const=True),
        ),
        line=8,
        launch_bounds=256,
        dynamic_shared=True,
        template=False,
    )


@pytest.mark.parametrize(
    ("written", "number"),
    [("256", 256), ("N", 128), ("N, 2", 128), ("N * 2", 256), ("(N + N / 2), 1", 192), ("M", None)],
)
def test_launch_bounds(written: str, number: int | None) -> None:
    text = f"#define N 128\n__global__ void __launch_bounds__({written}) k() {{}}\n"
    (kernel,) = parse(text).kernels
    assert (kernel.launch_bounds, kernel.parameters) == (number, ())


def test_what_stands_in_a_file() -> None:
    parsed = parse(TILE)
    assert device_functions(parsed) == ("twice",)
    assert parsed.defines == {"T": "16"}
    assert [variable.name for variable in parsed.globals] == ["weights"]
    assert [(s.name, s.dims, s.dynamic, s.function) for s in parsed.shared] == [
        ("buf", ("",), True, ""),
        ("sa", ("T", "T + 1"), False, "mm"),
        ("total", (), False, "mm"),
    ]
    assert parsed.reached("mm") == {"mm", "twice"}


def test_host_code_is_left_out_and_said() -> None:
    parsed = parse(TILE)
    (note,) = parsed.diagnostics
    assert (note.severity, str(note.message), note.line) == (
        Severity.NOTE,
        "Host code is ignored: main.",
        20,
    )
    prepared = prepare(parsed).text
    assert "main" not in prepared
    assert prepared.count("\n") == TILE.count("\n")


def test_columns_of_a_changed_line_are_the_users() -> None:
    text = "__global__ void k() {\n    __shared__ float s[4]; s[0] = wrong;\n}\n"
    prepared = prepare(parse(text))
    line = prepared.text.splitlines()[1]
    assert prepared.column(2, line.index("wrong") + 1) == text.splitlines()[1].index("wrong") + 1


def test_index_expressions() -> None:
    found = index_expressions(parse(TILE), "mm")
    assert [(e.name, e.expression, e.line) for e in found] == [
        ("tx", "threadIdx.x", 11),
        ("col", "blockIdx.x * T + tx", 12),
    ]
    assert index_expressions(parse(TILE), "absent") == ()


def test_statements() -> None:
    kinds = {s.line: s.kind for s in statements(parse(TILE), "mm")}
    assert kinds[12] is StatementKind.INTEGER
    assert kinds[15] is StatementKind.WRITE
    assert kinds[16] is StatementKind.BARRIER
    assert {s.kind for s in statements(parse(TILE), "mm") if s.line == 17} == {
        StatementKind.BRANCH,
        StatementKind.WRITE,
    }


def test_a_template_kernel_says_so() -> None:
    (kernel,) = parse("template <typename V>\n__global__ void f(V *x, V k) {}\n").kernels
    assert (kernel.template, kernel.parameters[0].type) == (True, "V")


def test_a_kernel_in_pycudas_wrapper() -> None:
    (kernel,) = parse('extern "C" {\n__global__ void f(int n) { }\n}\n').kernels
    assert (kernel.name, kernel.line) == ("f", 2)


def test_every_beginning_of_a_text_can_be_read() -> None:
    for end in range(len(TILE)):
        prepare(parse(TILE[:end]))


@given(st.text(alphabet="_ abc(){}[];*&<>,.=+\"'#\n/\\0é", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    parsed = parse("__global__ void k(int *x) { __shared__ int s[3]; " + text)
    prepare(parsed)
    for kernel in parsed.kernels:
        statements(parsed, kernel.name)
        index_expressions(parsed, kernel.name)


def test_qualifiers_may_hide_in_macros() -> None:
    text = "#define HD __host__ __device__\n#define TABLE __constant__ int\n"
    text += "HD int f(int x) { return x; }\nTABLE t[2] = {1, 2};\nint main() { return f(1); }\n"
    parsed = parse(text)
    assert device_functions(parsed) == ("f",)
    assert [variable.name for variable in parsed.globals] == ["t"]
    assert [code.name for code in parsed.host] == ["main"]
