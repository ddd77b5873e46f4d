# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.services.run.cached_inputs import PreparedProblems
from threadloom.services.run.resolve import resolve

JOB = Job("vector_add", "grid", {"n": 1000})


def test_the_same_problem_is_made_once() -> None:
    problems = PreparedProblems()
    first = problems.get(resolve(JOB))
    assert problems.get(resolve(replace(JOB, block=Dim3(32), variant="grid_stride"))) is first
    assert first.reference is first.reference


@pytest.mark.parametrize("changes", [{"seed": 1}, {"dtype": "float64"}, {"sizes": {"n": 999}}])
def test_another_problem_is_another(changes: dict[str, object]) -> None:
    problems = PreparedProblems()
    first = problems.get(resolve(JOB))
    assert problems.get(resolve(replace(JOB, **changes))) is not first  # type: ignore[arg-type]


def test_the_reference_is_numpys() -> None:
    problem = PreparedProblems().get(resolve(JOB))
    values = problem.inputs
    np.testing.assert_array_equal(problem.reference["c"], values["a"] + values["b"])
    assert set(values) == {"a", "b"}


def test_old_problems_make_room() -> None:
    problems = PreparedProblems(most_bytes=20_000)
    first = problems.get(resolve(JOB))
    problems.get(resolve(replace(JOB, seed=1)))
    assert problems.get(resolve(JOB)) is first  # 24,000 bytes: over, but only a new one makes room
    problems.get(resolve(replace(JOB, seed=2)))
    assert problems.get(resolve(replace(JOB, seed=1))) is not None
    assert problems.get(resolve(JOB)) is not first
