# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.run import Run
from threadloom.presentation.mapping.formula import (
    computation,
    constants_of,
    expressions_of,
    formula,
)
from threadloom.presentation.mapping.mapping_model import of_result
from threadloom.presentation.mapping.statements import access_text, opening, statements_of
from threadloom.presentation.mapping.steps import moved
from threadloom_kernels import discover, read_source

THREAD = ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0))


def test_names_stand_above_and_the_threads_numbers_below(example: Run) -> None:
    (expression,) = expressions_of(example.source, "vec_add")
    shown = formula(expression, example.launch, THREAD, {"n": 1000})
    assert [term.name for term in shown.terms] == [
        *("i", "=", "blockIdx.x", "*", "blockDim.x", "+", "threadIdx.x")
    ]
    assert [term.number for term in shown.terms] == ["549", "=", "2", "*", "256", "+", "37"]
    assert [term.name for term in shown.terms if term.own] == ["i", "blockIdx.x", "threadIdx.x"]


def test_in_short_only_the_axes_are_named(example: Run) -> None:
    (expression,) = expressions_of(example.source, "vec_add")
    shown = formula(expression, example.launch, THREAD, {"n": 1000}).short
    assert [term.name for term in shown.terms] == ["i", "=", ".x", "*", ".x", "+", ".x"]
    assert [term.number for term in shown.terms] == ["549", "=", "2", "*", "256", "+", "37"]


def test_without_a_thread_its_own_numbers_stay_open(example: Run) -> None:
    (expression,) = expressions_of(example.source, "vec_add")
    shown = formula(expression, example.launch, None, {"n": 1000})
    assert [term.number for term in shown.terms] == ["?", "=", "?", "*", "256", "+", "?"]


@pytest.mark.parametrize(
    ("operation", "variant", "names"),
    [
        ("vector_add", "one_block", ["i"]),
        ("matmul", "naive", ["row", "col"]),
        ("tensor_add", None, ["plane", "row", "col"]),
    ],
)
def test_every_axis_has_a_formula(operation: str, variant: str | None, names: list[str]) -> None:
    found = discover()[operation]
    source = read_source(found, variant, "float32")
    expressions = expressions_of(source, found.variant(variant).entry)
    assert [expression.name for expression in expressions] == names
    launch = Launch(Dim3(4, 4, 4), Dim3(4, 4, 4))
    thread = ThreadId(Dim3(1, 2, 3), Dim3(3, 2, 1))
    for expression in expressions:
        assert formula(expression, launch, thread, {}).terms[0].number.isdigit()


@pytest.mark.parametrize(
    ("declaration", "value"),
    [
        ("int i = threadIdx.x - 38", "-1"),
        ("unsigned i = threadIdx.x - 38", "4294967295"),
        ("auto i = threadIdx.x > 3 ? 010 : 0", "8"),
        ("bool i = threadIdx.x < N", "1"),
        ("float i = threadIdx.x / 2.0f", "?"),
    ],
)
def test_a_variable_has_the_value_that_its_type_gives_it(declaration: str, value: str) -> None:
    source = f"#define N (1u + 63u)\n__global__ void k() {{ {declaration}; }}"
    (expression,) = expressions_of(source, "k")
    assert constants_of(source) == {"N": 64}
    launch = Launch(Dim3(4), Dim3(256))
    shown = formula(expression, launch, THREAD, constants_of(source))
    assert shown.terms[0].number == value


def test_the_writing_line_is_shown_with_the_threads_own_values(example: Run) -> None:
    before, value = computation(of_result(example, "c"), THREAD, 549)
    assert before == "c[549] = 549.0000 + 68.6250"
    assert value == "617.6250"


def test_without_a_trace_only_the_value_is_shown(example: Run) -> None:
    other = ThreadId(Dim3(1, 0, 0), Dim3(0, 0, 0))
    assert computation(of_result(example, "c"), other, 256) == ("c[256]", "288.0000")


@pytest.mark.parametrize(
    ("line", "array", "text"),
    [
        ("    c[i] = a[i] + b[i];", "b", "b[i]"),
        ("sum += A[row * k + idx[i]];", "A", "A[row * k + idx[i]]"),
        ("As[ty][tx] = A[i];", "As", "As[ty][tx]"),
        ("As[ty][tx] = A[i];", "A", "A[i]"),
        ("*p = 1;", "p", "p"),
        ("x = 1;", "", "?"),
    ],
)
def test_an_access_is_named_as_in_the_source(line: str, array: str, text: str) -> None:
    assert access_text(line, array) == text


def test_a_warps_statements_are_its_accesses_in_order(example: Run) -> None:
    trace = example.trace
    assert trace is not None
    assert trace.block is not None
    found = statements_of(trace.block, trace.sites, example.source, warp=1)
    assert [str(statement.label) for statement in found] == ["a[i]", "b[i]", "c[i]"]
    assert all(statement.lanes.all() for statement in found)


def test_index_and_guard_come_before_the_first_access(example: Run) -> None:
    trace = example.trace
    assert trace is not None
    lanes = np.ones(32, dtype=np.bool_)
    found = opening(example.source, "vec_add", trace.sites[0].line, lanes)
    assert [str(statement.label) for statement in found] == ["i =", "i < n"]
    assert all(statement.kind is None for statement in found)


def test_moving_on_from_a_block_leads_into_the_next() -> None:
    grid, block = Dim3(4), Dim3(256)
    last = ThreadId(Dim3(1, 0, 0), Dim3(255, 0, 0))
    assert moved(last, grid, block, 0, 1) == ThreadId(Dim3(2, 0, 0), Dim3(0, 0, 0))
    end = ThreadId(Dim3(3, 0, 0), Dim3(255, 0, 0))
    assert moved(end, grid, block, 0, 1) == end
