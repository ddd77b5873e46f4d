# SPDX-License-Identifier: MIT
"""Arguments that are not those of the kernel: in number, in range, or in kind."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from threadloom.model.case import Case, CaseArgument
from threadloom.model.finding import Finding, Verdict, Where
from threadloom.model.message import NOTHING, Message, _, count, literal
from threadloom.model.program import Parameter, Signature
from threadloom.model.severity import Severity
from threadloom.services.doctor.argument_layout import parameter_dtype


def misplaced_arguments(case: Case, signature: Signature) -> Iterator[Finding]:
    """Wrong in number or in kind."""
    scalars = [a for a in case.arguments if a.shape is None and _of_numpy(a)]
    yield from (_out_of_range(argument) for argument in scalars if not _fits(argument))
    given, wanted = len(case.arguments), len(signature.parameters)
    if given != wanted:
        yield _miscounted(signature, wanted, given)
        return
    for argument, parameter in zip(case.arguments, signature.parameters, strict=True):
        if parameter.pointer and argument in scalars and not _is_address(argument):
            yield _number_for_pointer(argument, parameter)
        elif not parameter.pointer and argument.shape is not None and _is_number(parameter):
            yield _array_for_number(argument, parameter)


def _of_numpy(argument: CaseArgument) -> bool:
    """Whether NumPy knows the type that is named."""
    try:
        np.dtype(argument.dtype)
    except TypeError:
        return False
    return True


def _fits(argument: CaseArgument) -> bool:
    """Whether NumPy makes such a number of the value without complaint."""
    value, dtype = argument.value, np.dtype(argument.dtype)
    if value is None or dtype.kind not in "iu":
        return True
    if isinstance(value, float):
        return math.isfinite(value)
    return bool(np.iinfo(dtype).min <= value <= np.iinfo(dtype).max)


def _is_address(argument: CaseArgument) -> bool:
    """Memory that was allocated elsewhere is passed as a number as wide as a pointer."""
    return np.dtype(argument.dtype).itemsize == 8 and np.dtype(argument.dtype).kind in "iu"


def _is_number(parameter: Parameter) -> bool:
    return parameter_dtype(parameter) is not None and not parameter.type[-1:].isdigit()


def _out_of_range(argument: CaseArgument) -> Finding:
    limits, value = np.iinfo(np.dtype(argument.dtype)), argument.value or 0
    text = _("Out of range: np.{dtype} cannot hold {name} = {value}; NumPy raises OverflowError")
    shown = count(value) if isinstance(value, int) else literal(str(value))
    return _finding(
        "argument-range",
        text.format(name=argument.name, value=shown, dtype=argument.dtype),
        _("It holds {low} to {high}. Use a wider type in the kernel and in Python.").format(
            low=count(int(limits.min)), high=count(int(limits.max))
        ),
        Verdict.LAUNCH_ERROR,
        value=value if isinstance(value, int) else str(value),
        limit=int(limits.max),
    )


def _miscounted(signature: Signature, wanted: int, given: int) -> Finding:
    text = _("Argument count: {name} takes {wanted}, but {given} are passed")
    expected = ", ".join(parameter.name for parameter in signature.parameters)
    return _finding(
        "argument-count",
        text.format(name=signature.name, wanted=count(wanted), given=count(given)),
        _("Pass them in order: {parameters}.").format(parameters=expected) if expected else NOTHING,
        Verdict.LAUNCH_ERROR,
        line=signature.line,
        wanted=wanted,
        given=given,
    )


def _number_for_pointer(argument: CaseArgument, parameter: Parameter) -> Finding:
    text = _(
        "Type mismatch: {name} is passed as a number, but the kernel takes a pointer to {type}"
    )
    return _finding(
        "argument-type",
        text.format(name=argument.name, type=parameter.type),
        _("Pass `cuda.In`, `cuda.Out`, `cuda.InOut`, a `GPUArray` or the result of `mem_alloc`."),
        Verdict.OUT_OF_BOUNDS,
        have=argument.dtype,
    )


def _array_for_number(argument: CaseArgument, parameter: Parameter) -> Finding:
    text = _("Type mismatch: {name} is passed as an array, but the kernel takes a {type}")
    return _finding(
        "argument-type",
        text.format(name=argument.name, type=parameter.type),
        _("Pass a number: `np.{dtype}({name}[0])`.").format(
            dtype=parameter_dtype(parameter), name=argument.name
        ),
        Verdict.WRONG_RESULT,
        have=argument.dtype,
    )


def _finding(
    kind: str,
    message: Message,
    detail: Message,
    verdict: Verdict,
    line: int | None = None,
    **numbers: int | str,
) -> Finding:
    return Finding(
        kind=kind,
        severity=Severity.ERROR,
        message=message,
        detail=detail,
        where=Where(line=line),
        numbers=dict(numbers),
        verdict=verdict,
    )
