# SPDX-License-Identifier: MIT
"""Findings about the source and the arguments, and edits that mend them."""

from dataclasses import replace

import numpy as np
import pytest
from tests.run_records import context_with, diagnosed, launch_context

from threadloom.backends.source import parse
from threadloom.model.apply_fix import apply_edit
from threadloom.model.array import Values
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.message import literal
from threadloom.model.program import Diagnostic, Resources
from threadloom.model.severity import Severity
from threadloom.model.trace import AccessKind, Site, Space, Trace, Violation, ViolationKind
from threadloom.services.doctor import DiagnosticContext, verdict
from threadloom.services.doctor.argument_layout import received
from threadloom.services.doctor.fixes.did_you_mean import did_you_mean

SCALE = """\
// doubles, unguarded: π
__global__ void scale(float *x, float k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= k;
}
"""


def only(found: tuple[Finding, ...], kind: str) -> Finding:
    """The one finding of this kind."""
    (finding,) = [f for f in found if f.kind == kind]
    return finding


def facts_of(
    h200: DeviceModel, source: str, arguments: Values | None = None, launch: Launch | None = None
) -> DiagnosticContext:
    """What is known of the first kernel of a source."""
    kernels = parse(source).kernels
    return launch_context(
        h200,
        launch or Launch(Dim3(4), Dim3(256)),
        source=source,
        signature=kernels[0] if kernels else None,
        arguments=arguments or {},
    )


def failed(facts: DiagnosticContext, message: str, line: int, column: int | None = None) -> Finding:
    """The finding of a compilation that failed with one error."""
    error = Diagnostic(Severity.ERROR, literal(message), line, column, raw=message)
    found = diagnosed(context_with(facts, diagnostics=(error,)))
    assert verdict(found) == "compile-error"
    return only(found, "compile-error")


def edited(source: str, finding: Finding) -> str:
    """The source with the finding's first edit."""
    edit = finding.fixes[0].edit
    assert edit is not None
    return apply_edit(source, edit)


def past_the_end(array: str, index: int, line: int, **changes: object) -> Trace:
    """A run in which one thread was seen outside an array."""
    thread = ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0))
    kind, access = ViolationKind.OUT_OF_BOUNDS, AccessKind.WRITE
    violation = Violation(kind, thread, line, access, Space.GLOBAL, array, index, 1)
    return Trace({}, violations=(replace(violation, **changes),))  # type: ignore[arg-type]


# Guards ---------------------------------------------------------------------------------------


def test_a_guard_is_added_after_the_index(h200: DeviceModel) -> None:
    values: Values = {"x": np.zeros(1000, np.float32), "k": np.float32(2), "n": np.int32(1000)}
    facts = context_with(facts_of(h200, SCALE, values), trace=past_the_end("x", 1000, 5))
    finding = only(diagnosed(facts), "out-of-bounds")
    assert str(finding.fixes[0].title) == "Add guard `if (i < n)`"
    lines = edited(SCALE, finding).splitlines()
    assert lines[3:6] == [
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "    if (i >= n) return;",
        "    x[i] *= k;",
    ]


def test_without_a_parameter_the_guard_names_the_number(h200: DeviceModel) -> None:
    facts = facts_of(h200, SCALE, {"x": np.zeros(90, np.float32)})
    finding = only(diagnosed(context_with(facts, trace=past_the_end("x", 90, 5))), "out-of-bounds")
    assert "    if (i >= 90) return;" in edited(SCALE, finding)


@pytest.mark.parametrize(
    ("source", "index"),
    [
        (SCALE, -1),
        (SCALE.replace("    x[i]", "    __syncthreads();\n    x[i]"), 90),
        (SCALE.replace("x[i]", "x[2 * i]"), 90),
        (SCALE.replace("int i", "int j").replace("x[i]", "x[j + 1]"), 90),
    ],
)
def test_no_guard_is_offered_where_it_might_do_harm(
    h200: DeviceModel, source: str, index: int
) -> None:
    line = next(n for n, text in enumerate(source.splitlines(), 1) if "x[" in text)
    facts = facts_of(h200, source, {"x": np.zeros(90, np.float32)})
    finding = only(
        diagnosed(context_with(facts, trace=past_the_end("x", index, line))), "out-of-bounds"
    )
    assert finding.fixes == ()


# The compiler's words -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("blockDimx", "blockDim.x"),
        ("threadIdx_y", "threadIdx.y"),
        ("blockidx", "blockIdx"),
        ("threadldx", "threadIdx"),
        ("threadID", "threadIdx"),
        ("syncthreads", "__syncthreads"),
        ("__synchthreads", "__syncthreads"),
        ("__shared", "__shared__"),
        ("atomicadd", "atomicAdd"),
        ("griddim", "gridDim"),
    ],
)
def test_names_that_are_nearly_right(written: str, right: str) -> None:
    assert did_you_mean(written) == right


def test_a_name_that_is_like_no_other_is_left_alone() -> None:
    assert did_you_mean("velocity") is None
    assert did_you_mean("velocty", ("velocity",)) == "velocity"


@pytest.mark.parametrize(
    "message",
    ["use of undeclared identifier 'blockDimx'", 'identifier "blockDimx" is undefined'],
)
def test_an_unknown_name_becomes_the_right_one(h200: DeviceModel, message: str) -> None:
    source = SCALE.replace("blockDim.x", "blockDimx")
    finding = failed(facts_of(h200, source), message, 4, 26)
    assert str(finding.message) == "Line 4: blockDimx is not defined"
    assert str(finding.detail) == "Did you mean blockDim.x?"
    assert str(finding.fixes[0].title) == "Change to blockDim.x"
    assert (finding.where.line, finding.where.column) == (4, 26)
    assert edited(source, finding) == SCALE


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        (4, 50, "expected ';' at end of declaration"),
        (5, 5, 'expected a ";"'),
        (5, None, 'expected a ";"'),
    ],
)
def test_a_missing_semicolon_is_put_where_the_statement_ends(
    h200: DeviceModel, line: int, column: int | None, message: str
) -> None:
    source = SCALE.replace("threadIdx.x;", "threadIdx.x")
    finding = failed(facts_of(h200, source), message, line, column)
    if column is not None:
        assert edited(source, finding) == SCALE


def test_a_host_function_is_marked_for_the_device(h200: DeviceModel) -> None:
    source = "float poly(float v) { return v * v; }\n" + SCALE.replace(
        "x[i] *= k", "x[i] = poly(k)"
    )
    finding = failed(facts_of(h200, source), "use of undeclared identifier 'poly'", 6, 12)
    assert str(finding.message) == "Line 6: poly is a host function"
    assert edited(source, finding).startswith("__device__ float poly(")


def test_each_error_is_told_once_in_the_order_of_the_compiler(h200: DeviceModel) -> None:
    errors = [Diagnostic(Severity.ERROR, literal(text), 4) for text in ("one", "two", "one")]
    found = diagnosed(context_with(facts_of(h200, SCALE), diagnostics=tuple(errors)))
    assert [str(f.message) for f in found if f.kind == "compile-error"] == [
        "Line 4: one",
        "Line 4: two",
    ]


def test_a_log_without_errors_is_passed_on(h200: DeviceModel) -> None:
    found = diagnosed(context_with(facts_of(h200, SCALE), log="nvcc: no input\n"))
    assert str(only(found, "compile-error").detail) == "nvcc: no input"


def test_remarks_are_notes_and_noise_is_dropped(h200: DeviceModel) -> None:
    remarks = (
        Diagnostic(Severity.NOTE, literal("Host code is left out: main."), 7),
        Diagnostic(Severity.WARNING, literal("unused variable 'j'"), 3),
    )
    found = diagnosed(context_with(facts_of(h200, SCALE), diagnostics=remarks))
    finding = only(found, "compiler-remark")
    assert str(finding.message) == "Line 7: Host code is left out: main."
    assert finding.severity is Severity.NOTE
    assert verdict(found) == "ok"


def test_shared_variables_have_a_limit_of_their_own(h200: DeviceModel) -> None:
    source = "__global__ void k(float *x)\n{\n    __shared__ float s[12289];\n    s[0] = x[0];\n}\n"
    facts = context_with(facts_of(h200, source), resources=Resources(shared_bytes=49_156))
    found = diagnosed(facts)
    finding = only(found, "static-shared")
    assert "49,156 bytes" in str(finding.message)
    assert (finding.where.line, finding.where.array) == (3, "s")
    assert verdict(found) == "compile-error"


# Bank conflicts -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "padded"),
    [("tile[32][32]", "tile[32][32 + 1]"), ("tile[T][T]", "tile[T][T + 1]")],
)
def test_a_tile_is_padded(h200: DeviceModel, declared: str, padded: str) -> None:
    source = (
        "#define T 32\n__global__ void k(float *x)\n{\n"
        f"    __shared__ float {declared};\n"
        "    tile[threadIdx.x][0] = x[0]; x[1] = tile[0][threadIdx.x];\n}\n"
    )
    site = Site(5, None, AccessKind.WRITE, Space.SHARED, "tile", 10, 0, 0, 310, 320)
    finding = only(
        diagnosed(context_with(facts_of(h200, source), trace=Trace({}, sites=(site,)))),
        "bank-conflicts",
    )
    assert str(finding.fixes[0].title) == "Pad to 33 columns"
    assert padded in edited(source, finding)


def test_a_tile_whose_address_is_taken_is_left_alone(h200: DeviceModel) -> None:
    source = (
        "__global__ void k(float *x)\n{\n    __shared__ float tile[32][32];\n"
        "    float *flat = &tile[0][0]; flat[threadIdx.x * 32] = x[0]; x[0] = *tile[0];\n}\n"
    )
    site = Site(4, None, AccessKind.WRITE, Space.SHARED, "tile", 10, 0, 0, 310, 320)
    finding = only(
        diagnosed(context_with(facts_of(h200, source), trace=Trace({}, sites=(site,)))),
        "bank-conflicts",
    )
    assert finding.fixes == ()


# Arguments ------------------------------------------------------------------------------------


def test_a_float64_array_for_a_float_pointer(h200: DeviceModel) -> None:
    found = diagnosed(facts_of(h200, SCALE, {"x": np.arange(4.0)}))
    finding = only(found, "array-type")
    assert str(finding.message) == "Type mismatch: x holds float64, but the kernel reads float"
    assert "x.astype(np.float32)" in str(finding.detail)
    assert verdict(found) == "wrong-result"


def test_types_that_fit_are_no_finding(h200: DeviceModel) -> None:
    values: Values = {"x": np.zeros(8, np.float32), "k": np.float32(2), "n": np.int32(8)}
    kinds = {f.kind for f in diagnosed(facts_of(h200, SCALE, values))}
    assert not kinds & {"array-type", "scalar-type", "array-order"}


def test_a_float64_number_shifts_what_follows(h200: DeviceModel) -> None:
    values: Values = {"x": np.zeros(8, np.float32), "k": np.float64(2.0), "n": np.int32(1000)}
    facts = facts_of(h200, SCALE, values)
    assert facts.run.signature is not None
    assert received(facts.run.signature, values) == {"k": 0.0, "n": 1_073_741_824}
    found = diagnosed(facts)
    finding = only(found, "scalar-type")
    assert "n = 1073741824" in str(finding.detail)
    assert "np.float32(2.0)" in str(finding.detail)
    assert verdict(found) == "wrong-result"


def test_an_int64_that_is_last_does_no_harm(h200: DeviceModel) -> None:
    source = "__global__ void k(int *out, int n) { out[threadIdx.x] = n; }\n"
    values: Values = {"out": np.zeros(5, np.int32), "n": np.int64(5)}
    assert verdict(diagnosed(facts_of(h200, source, values))) == "ok"


def test_an_int64_before_another_number_shifts_it(h200: DeviceModel) -> None:
    source = "__global__ void k(int *out, int n, int off) { out[threadIdx.x] = n + off; }\n"
    values: Values = {"out": np.zeros(5, np.int32), "n": np.int64(5), "off": np.int32(7)}
    facts = facts_of(h200, source, values)
    assert facts.run.signature is not None
    assert received(facts.run.signature, values) == {"n": 5, "off": 0}
    assert verdict(diagnosed(facts)) == "wrong-result"


def test_columns_that_lie_side_by_side_are_told(h200: DeviceModel) -> None:
    values: Values = {"x": np.asfortranarray(np.zeros((3, 4), np.float32))}
    found = diagnosed(facts_of(h200, SCALE, values))
    assert str(only(found, "array-order").detail) == "Pass `np.ascontiguousarray(x)`."
    assert verdict(found) == "wrong-result"


# Overflow -------------------------------------------------------------------------------------

FLAT = """\
__global__ void flat(long long *idx, int row, int width, int n)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int at = row * width + (width - n + c);
    if (c < n) idx[c] = at;
}
"""


def flat_arguments(row: int) -> Values:
    """Four elements of a row of 8,960."""
    return {
        "idx": np.zeros(4, np.int64),
        "row": np.int32(row),
        "width": np.int32(8960),
        "n": np.int32(4),
    }


def test_an_index_that_overflows_in_every_thread_is_told(h200: DeviceModel) -> None:
    launch = Launch(Dim3(1), Dim3(32))
    found = diagnosed(facts_of(h200, FLAT, flat_arguments(239_674), launch))
    finding = only(found, "int-overflow")
    assert str(finding.message) == "Integer overflow: `row * width + (width - n + c)` in line 4"
    assert finding.numbers["value"] == 239_674 * 8960 + 8956 + 31
    assert verdict(found) == "wrong-result"


@pytest.mark.parametrize(
    "source",
    [
        FLAT.replace("row * width", "(long long)row * width"),
        FLAT.replace("int row", "long long row"),
        FLAT.replace("    if (c", "    width = 1;\n    if (c"),
    ],
)
def test_wide_or_unknown_arithmetic_is_left_alone(h200: DeviceModel, source: str) -> None:
    found = diagnosed(facts_of(h200, source, flat_arguments(239_674), Launch(Dim3(1), Dim3(32))))
    assert "int-overflow" not in {f.kind for f in found}


@pytest.mark.parametrize("row", [0, 1, 239_673])
def test_an_index_that_fits_is_no_finding(h200: DeviceModel, row: int) -> None:
    found = diagnosed(facts_of(h200, FLAT, flat_arguments(row), Launch(Dim3(1), Dim3(32))))
    assert verdict(found) == "ok"
