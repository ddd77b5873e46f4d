# SPDX-License-Identifier: MIT
"""More launches of the same kinds as the cases: what is wrong is said, what is right is not."""

from typing import Any

import pytest
from tests.threadloom.services.conftest import Listener

from threadloom.model.apply_fix import apply_edit
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Verdict
from threadloom.model.severity import Severity
from threadloom.services.devices.device_table import find
from threadloom.services.doctor.cases import Case, CaseArgument, CheckRequest, CheckResult
from threadloom.services.worker_entry import handle

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SCALE = f"__global__ void k(float *x, int n) {{ {INDEX} if (i < n) x[i] *= 2.0f; }}"
COPY = f"__global__ void k(float *y, const float *x, int n) {{ {INDEX} if (i < n) y[i] = x[i]; }}"


def answer_to(case: Case) -> CheckResult:
    """The worker's answer, without a child process."""
    answer = handle(CheckRequest(case, find("H200")), Listener())
    assert isinstance(answer, CheckResult)
    return answer


def floats(name: str, *shape: int, access: str = "in", **more: Any) -> CaseArgument:
    """A float32 array."""
    init = more.pop("init", "arange" if access in {"in", "inout"} else "zeros")
    return CaseArgument(name, "float*", "float32", shape, access, init, **more)


def number(name: str, value: int, dtype: str = "int32") -> CaseArgument:
    """A number for an int parameter."""
    return CaseArgument(name, "int", dtype, value=value)


def check(
    source: str, arguments: list[CaseArgument], grid: Any, block: Any, **more: Any
) -> CheckResult:
    """Check a kernel named k."""

    def three(value: Any) -> tuple[object, ...]:
        values = value if isinstance(value, tuple) else (value,)
        return (*values, *[1] * (3 - len(values)))

    case = Case("", "k", source, tuple(arguments), three(block), three(grid), **more)
    return answer_to(case)


def copied(n: int, y: int | None = None, x: int | None = None) -> list[CaseArgument]:
    """Arguments of a copy of n elements."""
    return [floats("y", y or n, access="out"), floats("x", x or n), number("n", n)]


REDUCE = """\
__global__ void k(float *a, int n)
{
    int t = threadIdx.x;
    for (int d = n / 2; d > 0; d /= 2) {
        if (t < d) a[t] += a[t + d];
        __syncthreads();
    }
}
"""
HISTOGRAM = f"""\
__global__ void k(int *bins, const float *x, int n)
{{
    {INDEX}
    if (i < n) atomicAdd(&bins[(int)x[i] % 8], 1);
}}
"""
REVERSE = """\
__global__ void k(float *x)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    BARRIER
    x[t] = s[63 - t];
}
"""
STRIDE = f"""\
__global__ void k(float *y, const float *x, int n)
{{
    for ({INDEX} i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}}
"""


def bins() -> CaseArgument:
    """Eight counters."""
    return CaseArgument("bins", "int*", "int32", (8,), "inout", "zeros")


Given = tuple[str, list[CaseArgument], Any, Any, dict[str, Any]]

RIGHT: dict[str, Given] = {
    "exact": (COPY, copied(1024), 4, 256, {}),
    "with a guarded tail": (COPY, copied(1000), 4, 256, {}),
    "more blocks than needed": (COPY, copied(1000), 9, 256, {}),
    "odd block": (COPY, copied(999), 9, 111, {}),
    "one thread": (COPY, copied(1), 1, 1, {}),
    "grid-stride": (STRIDE, copied(1000), 1, 64, {}),
    "in place": (SCALE, [floats("x", 100, access="inout"), number("n", 100)], 1, 128, {}),
    "in-place reduction": (REDUCE, [floats("a", 64, access="inout"), number("n", 64)], 1, 32, {}),
    "histogram with atomics": (HISTOGRAM, [bins(), floats("x", 100), number("n", 100)], 2, 64, {}),
    "few bins hit": (
        HISTOGRAM,
        [bins(), floats("x", 100, init="mod:3"), number("n", 100)],
        2,
        64,
        {},
    ),
    "with a barrier": (
        REVERSE.replace("BARRIER", "__syncthreads();"),
        [floats("x", 64, access="inout")],
        1,
        64,
        {},
    ),
    "int64 that comes last": (
        SCALE,
        [floats("x", 100, access="inout"), number("n", 100, "int64")],
        1,
        128,
        {},
    ),
    "extern C": (
        'extern "C" ' + COPY,
        copied(100),
        1,
        128,
        {"no_extern_c": True},
    ),
}

WRONG: dict[str, tuple[str, str, list[CaseArgument], Any, Any, dict[str, Any]]] = {
    "block z": ("launch-error", COPY, copied(100), 1, (1, 1, 65), {}),
    "grid z": ("launch-error", COPY, copied(100), (1, 1, 65_536), 128, {}),
    "negative block": ("launch-error", COPY, copied(100), 1, -128, {}),
    "empty": ("launch-error", COPY, copied(100), 0, 0, {}),
    "much dynamic shared": ("launch-error", COPY, copied(100), 1, 128, {"shared_bytes": 50_000}),
    "launch bounds": (
        "launch-error",
        COPY.replace("void", "void __launch_bounds__(64)"),
        copied(100),
        1,
        128,
        {},
    ),
    "float block": ("launch-error", COPY, copied(100), 1, 33.3, {}),
    "numpy true division": ("launch-error", COPY, copied(1024), 4.0, 256, {}),
    "no such kernel": ("launch-error", COPY.replace(" k(", " kk("), copied(100), 1, 128, {}),
    "too few arguments": ("launch-error", COPY, copied(100)[:2], 1, 128, {}),
    "short grid": ("uncovered", COPY, copied(1000), 3, 256, {}),
    "short grid in place": (
        "uncovered",
        SCALE,
        [floats("x", 1000, access="inout"), number("n", 1000)],
        3,
        256,
        {},
    ),
    "no guard": ("out-of-bounds", COPY.replace("if (i < n) ", ""), copied(1000), 4, 256, {}),
    "off by one": ("out-of-bounds", COPY.replace("<", "<="), copied(1000), 4, 256, {}),
    "array too short": ("out-of-bounds", COPY, copied(1000, x=999), 4, 256, {}),
    "histogram without atomics": (
        "race",
        HISTOGRAM.replace("atomicAdd(&bins[(int)x[i] % 8], 1)", "bins[(int)x[i] % 8] += 1"),
        [bins(), floats("x", 100), number("n", 100)],
        2,
        64,
        {},
    ),
    "2-D block for a 1-D kernel": ("uncovered", COPY, copied(256), 1, (16, 16), {}),
    "2-D block for a 1-D kernel in place": (
        "race",
        SCALE,
        [floats("x", 256, access="inout"), number("n", 256)],
        1,
        (16, 16),
        {},
    ),
    "without a barrier": (
        "race",
        REVERSE.replace("    BARRIER\n", ""),
        [floats("x", 64, access="inout")],
        1,
        64,
        {},
    ),
    "barrier in a branch": (
        "race",
        REVERSE.replace("BARRIER", "if (t < 40) __syncthreads();"),
        [floats("x", 64, access="inout")],
        1,
        64,
        {},
    ),
    "unwritten shared memory": (
        "wrong-result",
        REVERSE.replace("s[t] = x[t];", "if (t < 60) s[t] = x[t];").replace(
            "BARRIER", "__syncthreads();"
        ),
        [floats("x", 64, access="inout")],
        1,
        64,
        {},
    ),
    "int64 array for int": (
        "wrong-result",
        COPY.replace("float", "int"),
        [
            CaseArgument("y", "int*", "int64", (100,), "out", "zeros"),
            CaseArgument("x", "int*", "int64", (100,), "in", "arange"),
            number("n", 100),
        ],
        1,
        128,
        {},
    ),
    "number of no axes that nobody set": (
        "wrong-result",
        "__global__ void k(float *x) { if (threadIdx.x == 0) *x += 1.0f; }",
        [floats("x", access="out")],
        1,
        32,
        {},
    ),
    "sum that int does not hold": (
        "wrong-result",
        f"__global__ void k(int *s, int v, int n) {{ {INDEX} if (i < n) atomicAdd(s, v); }}",
        [
            CaseArgument("s", "int*", "int32", (1,), "inout", "zeros"),
            number("v", 2**28),
            number("n", 32),
        ],
        1,
        32,
        {"right_result": {"s": [2**33]}},
    ),
    "wrong formula": (
        "wrong-result",
        COPY.replace("x[i];", "x[i] + 1;"),
        copied(4),
        1,
        32,
        {"right_result": {"y": [0, 1, 2, 3]}},
    ),
    "misspelt": ("compile-error", COPY.replace("blockDim.x", "blockDimx"), copied(8), 1, 32, {}),
    "no brace": ("compile-error", COPY[:-1], copied(8), 1, 32, {}),
    "unknown type": ("compile-error", COPY.replace("float *y", "flot *y"), copied(8), 1, 32, {}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_raises_no_alarm(name: str) -> None:
    source, arguments, grid, block, more = RIGHT[name]
    result = check(source, arguments, grid, block, **more)
    told = [(f.severity, f.kind, str(f.message), str(f.detail)) for f in result.findings]
    assert result.verdict == Verdict.OK, told
    assert {f.severity for f in result.findings} <= {Severity.NOTE, Severity.PASSED}, told


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_first(name: str) -> None:
    expected, source, arguments, grid, block, more = WRONG[name]
    result = check(source, arguments, grid, block, **more)
    told = [(f.severity, f.kind, str(f.message), str(f.detail)) for f in result.findings]
    assert result.verdict == expected, told


def test_a_launch_that_was_tried_is_offered() -> None:
    result = check(COPY, copied(1000), 3, 256)
    fixes = [fix for f in result.findings if f.kind == "uncovered" for fix in f.fixes]
    assert (str(fixes[0].title), fixes[0].grid) == ("4 blocks of 256", Dim3(4))
    result = check(COPY, copied(1000), 4.90625, 256)
    fixes = [fix for f in result.findings if f.kind == "grid-not-whole" for fix in f.fixes]
    assert fixes[0].grid == Dim3(4)


UNSET = {
    "float s; for (int j = 0; j < 4; ++j) s += x[j]; x[i] = s;": "s",
    "float s; s = 0.0f; for (int j = 0; j < 4; ++j) s += x[j]; x[i] = s;": None,
    "float s; if (i >= 0) s = 1.0f; x[i] = s;": None,
    "int h[4]; for (int j = 0; j < 4; ++j) h[j] = j; x[i] = h[i % 4];": None,
    "int h[4]; for (int j = 0; j < 4; ++j) h[j & 1]++; x[i] = h[0];": "h",
    "float s; float t = s; x[i] += 1.0f; if (t == 5.0f && i > 99) x[i] = 0.0f;": None,
}
"""What a thread does to its own element, and the variable that it uses unset."""


@pytest.mark.parametrize("body", UNSET)
def test_a_variable_that_is_used_before_it_has_a_value(body: str) -> None:
    source = f"__global__ void k(float *x) {{\n    int i = threadIdx.x;\n    {body}\n}}"
    arguments = [floats("x", 32, access="inout")]
    if "x[j]" in body:
        arguments = [floats("x", 32, access="out"), floats("y", 32)]
        source = source.replace("float *x)", "float *x, const float *y)").replace("x[j]", "y[j]")
    result = check(source, arguments, 1, 32)
    told = [f for f in result.findings if f.kind == "unset-variable"]
    assert [str(f.message).split()[2] for f in told] == ([UNSET[body]] if UNSET[body] else [])
    assert result.verdict == ("wrong-result" if UNSET[body] else "ok")
    for finding in told:
        edit = finding.fixes[0].edit
        assert edit is not None
        assert check(apply_edit(source, edit), arguments, 1, 32).verdict == Verdict.OK


def test_a_guard_that_was_tried_is_offered() -> None:
    lines = f"__global__ void k(float *y, const float *x, int n)\n{{\n    {INDEX}\n"
    result = check(lines + "    y[i] = x[i];\n}\n", copied(1000), 4, 256)
    edits = [x for f in result.findings for x in f.fixes if x.edit is not None]
    assert str(edits[0].title) == "Add guard `if (i < n)`"


def test_a_barrier_that_was_tried_is_offered() -> None:
    source = REVERSE.replace("    BARRIER\n", "")
    result = check(source, [floats("x", 64, access="inout")], 1, 64)
    edits = [x for f in result.findings for x in f.fixes if x.edit is not None]
    assert str(edits[0].title) == "Add `__syncthreads()` after line 5"


def test_what_the_emulator_cannot_run_is_not_called_wrong() -> None:
    lane = 'unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane));'
    source = COPY.replace("if (i", f"{lane} if (i")
    result = check(source, copied(100), 1, 128)
    told = [str(f.message) for f in result.findings if f.severity is Severity.NOTE]
    assert result.verdict == Verdict.OK, told
    assert "Line 1: Inline assembly (PTX) does not run in the emulator." in told
    assert check(source, copied(100), 1, 2048).verdict == Verdict.LAUNCH_ERROR


def test_a_library_that_the_emulator_lacks_is_not_called_wrong() -> None:
    source = "#include <curand_kernel.h>\n" + COPY.replace("if (i", "curandState s; if (i")
    result = check(source, copied(100), 1, 128)
    assert result.verdict == Verdict.OK
    assert "Line 2: curandState is not emulated (the library cuRAND)." in {
        str(finding.message) for finding in result.findings
    }


def test_tensor_cores_are_not_called_wrong() -> None:
    source = """#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float *x) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    wmma::store_matrix_sync(x, c, 16, wmma::mem_row_major);
}
"""
    result = check(source, [floats("x", 256, access="inout")], 1, 32, no_extern_c=True)
    assert result.verdict == Verdict.OK
    said = "Line 4: wmma is not emulated (tensor-core functions)."
    assert said in {str(finding.message) for finding in result.findings}


def test_a_reference_is_no_parameter_of_a_kernel() -> None:
    result = check(COPY.replace("int n", "int &n"), copied(100), 1, 128)
    assert str(result.findings[0].message) == (
        "Line 1: Parameter n is a reference; a kernel gets a value or a pointer."
    )


def test_a_fix_of_the_source_is_offered_only_if_it_leads_further() -> None:
    result = check("struct P { float a; }\n" + COPY, copied(100), 1, 128)
    (fix,) = result.findings[0].fixes
    assert fix.edit is not None
    assert (fix.edit.line, fix.edit.text) == (1, ";")
    broken = COPY.replace("y[i] = x[i];", 'printf("a\n"); }')
    result = check(broken, copied(100), 1, 128)
    assert result.verdict == Verdict.COMPILE_ERROR
    assert not [fix for finding in result.findings for fix in finding.fixes]


def test_a_kernel_that_the_preprocessor_leaves_out_is_not_found() -> None:
    source = f"#ifdef ON_GPU\n{COPY}\n#endif\n"
    result = check(source, copied(100), 1, 128)
    assert (result.verdict, result.findings[0].kind) == ("launch-error", "no-such-kernel")
    assert "removes k" in str(result.findings[0].message)
    assert check(source, copied(100), 1, 128, flags=("-DON_GPU",)).verdict == Verdict.OK
    assert check(f"#if 0\n{COPY}\n#endif\n", copied(100), 1, 128).verdict == Verdict.LAUNCH_ERROR


def test_a_kernel_is_not_called_like_a_function() -> None:
    source = COPY.replace(" k(", " inner(") + "\n__global__ void k(float *y, const float *x, int n)"
    result = check(source + " { inner(y, x, n); }\n", copied(100), 1, 128)
    assert result.verdict == Verdict.COMPILE_ERROR
    assert 'The kernel "inner" is called like a function' in str(result.findings[0].message)


TWO = "constexpr int two() { return 2; }\n"


@pytest.mark.parametrize(
    ("body", "flags", "expected"),
    [
        ("float t[two()]; t[0] = x[i]; y[i] = t[0];", (), "ok"),
        ("constexpr int k = two(); y[i] = x[i] * k;", (), "ok"),
        ("y[i] = x[i] * two();", ("--expt-relaxed-constexpr",), "ok"),
        ("y[i] = x[i] * two();", (), "compile-error"),
    ],
)
def test_host_functions_that_the_compiler_computes(
    body: str, flags: tuple[str, ...], expected: str
) -> None:
    source = TWO + COPY.replace("y[i] = x[i];", f"{{ {body} }}")
    result = check(source, copied(100), 1, 128, flags=flags)
    assert result.verdict == expected, [str(f.message) for f in result.findings]


def test_a_kernel_may_be_named_by_a_macro() -> None:
    source = "#define NAME k\n" + COPY.replace(" k(", " NAME(")
    assert check(source, copied(100), 1, 128).verdict == Verdict.OK


@pytest.mark.parametrize(
    ("index", "told"), [("4", "4"), ("-1", "-1"), ("3", ""), ("sizeof(t) / sizeof(t[0])", "4")]
)
def test_an_index_outside_an_array_of_the_threads_own(index: str, told: str) -> None:
    body = f"float t[4] = {{}};\n  t[{index}] = 1.0f;\n  y[i] = x[i] + t[1];"
    source = COPY.replace("y[i] = x[i];", f"{{ {body} }}")
    result = check(source, copied(128), 1, 128)
    assert result.verdict == ("out-of-bounds" if told else "ok")
    if told:
        worst = result.findings[0]
        assert str(worst.message) == f"Line 2: index {told} is outside the array"
        assert (worst.severity, worst.where.line) == (Severity.WARNING, 2)


@pytest.mark.parametrize(
    ("expression", "flags", "name"),
    [
        ("std::max(x[i], 2.0f)", (), "std::max"),
        ("std::clamp(x[i], 0.0f, 1.0f)", (), "std::clamp"),
        ("x[i] + std::numeric_limits<float>::max()", (), "std::numeric_limits<float>::max"),
        ("std::max(x[i], 2.0f)", ("--expt-relaxed-constexpr",), ""),
        ("std::sqrt(x[i])", (), ""),
        ("std::abs(x[i]) + max(x[i], 2.0f)", (), ""),
    ],
)
def test_constexpr_functions_of_the_library_are_of_the_host(
    expression: str, flags: tuple[str, ...], name: str
) -> None:
    source = "#include <algorithm>\n#include <limits>\n#include <cmath>\n"
    source += 'extern "C" ' + COPY.replace("y[i] = x[i];", f"y[i] = {expression};")
    result = check(source, copied(128), 1, 128, flags=flags, no_extern_c=True)
    assert result.verdict == ("compile-error" if name else "ok")
    if name:
        message = f"Line 4: k calls the constexpr host function {name}"
        assert str(result.findings[0].message) == message


def test_a_null_pointer_is_told_as_one() -> None:
    source = COPY.replace("y[i] = x[i];", "{ y[i] = x[i]; float *p = 0; if (i == 5) p[3] = 1.0f; }")
    worst = check(source, copied(128), 1, 128).findings[0]
    assert str(worst.message) == "Out-of-bounds access: 1 thread leaves every array"
    assert str(worst.detail) == "First: block 0, thread 5, address 0xc, line 1 · null pointer"


def test_a_kernel_launched_from_a_kernel_is_refused_by_name() -> None:
    source = "__global__ void child(float *x) {}\n" + COPY.replace("y[i] =", "child<<<1, 1>>>(y),")
    worst = check(source, copied(128), 1, 128).findings[0]
    assert worst.where.line == 2
    assert "dynamic parallelism" in f"{worst.message} {worst.detail}"
