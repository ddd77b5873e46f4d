# SPDX-License-Identifier: MIT
"""The problem of a case: what is passed, what comes back, and what is right."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from threadloom.model.array import Array, Value
from threadloom.model.case import Case, CaseArgument
from threadloom.model.message import _
from threadloom.model.program import Signature
from threadloom.services.doctor.cases.case import TOLERANCE, CaseError
from threadloom.services.doctor.cases.rejected_arguments import as_meant
from threadloom.services.doctor.cases.values import defined, passed
from threadloom.services.run.cached_inputs import Problem


def problem_of_case(
    case: Case, signature: Signature, argument_of: Mapping[str, CaseArgument]
) -> Problem:
    """Everything under the names of the kernel's parameters.

    Raises:
        CaseError: If an argument means nothing.
    """
    parameters = {parameter.name: parameter for parameter in signature.parameters}
    values = {name: passed(as_meant(a, parameters[name])) for name, a in argument_of.items()}
    arrays = {name: a for name, a in argument_of.items() if a.shape is not None}
    right = {
        name: case.right_result[argument.name]
        for name, argument in arrays.items()
        if argument.name in case.right_result and not parameters[name].const
    }
    return Problem(
        key=case.title,
        values=values,
        inputs={},
        _compute=lambda: {name: _expected(name, values[name], right[name]) for name in right},
        returned=frozenset(name for name, a in arrays.items() if a.access != "in"),
        undefined=frozenset(name for name, a in arrays.items() if not defined(a)),
        tolerances={name: _tolerance(case, values[name]) for name in right},
    )


def _expected(name: str, value: Value, right: object) -> Array:
    """What is right, as pairs for complex numbers, which JSON has not.

    Raises:
        CaseError: If it has another number of elements.
    """
    dtype, size = np.real(value).dtype, np.size(value) * (1 + np.iscomplexobj(value))
    # What is right may be more than the array's own integers hold.
    whole = dtype.kind in "iub"
    expected: Array = np.asarray(right) if whole else np.asarray(right).astype(dtype)
    if expected.size != size:
        text = _("“right_result”: {array} has {have} elements, but {given} are given.")
        raise CaseError(text.format(array=name, have=size, given=expected.size))
    return expected


def _tolerance(case: Case, value: Value) -> float:
    if case.tolerance is not None:
        return case.tolerance
    return TOLERANCE if np.real(value).dtype.kind == "f" else 0.0
