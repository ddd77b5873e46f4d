# SPDX-License-Identifier: MIT
"""Arguments that PyCUDA or the driver does not take, so that nothing is launched.

PyCUDA packs NumPy's numbers (``numpy.number``, which ``numpy.bool_`` is not) by their own types,
and raises ``TypeError: invalid type on parameter #1 (0-based)`` for Python's own. ``cuMemAlloc``
refuses to allocate 0 bytes (CUDA Driver API, Memory Management).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from threadloom.model.case import Case, CaseArgument
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.program import Parameter, Signature
from threadloom.model.severity import Severity
from threadloom.services.doctor.argument_layout import parameter_dtype
from threadloom.services.doctor.cases.source_checks.python_kind import Kind, read_expression

_PYTHON_TYPES = {
    f"{prefix}{name}": name
    for prefix in ("", "python ", "Python ", "py", "builtins.")
    for name in ("int", "float", "bool", "complex", "str")
}
_BOOLS = {"bool_", "?"}
_OF_PYTHON = {
    Kind.INT: "int",
    Kind.FLOAT: "float",
    Kind.BOOL: "bool",
    Kind.TEXT: "str",
    Kind.NONE: "None",
    Kind.LIST: "list",
    Kind.TUPLE: "tuple",
}


def refused_arguments(case: Case, signature: Signature) -> Iterator[Finding]:
    """Numbers of Python's own types, and arrays without elements."""
    pairs = zip(signature.parameters, case.arguments, strict=False)
    for place, (parameter, argument) in enumerate(pairs):
        if argument.shape is not None:
            if not math.prod(argument.shape):
                yield _no_elements(argument)
        elif (kind := _not_numpy(argument)) is not None:
            wanted = parameter_dtype(parameter)
            yield _not_a_number(argument, place, kind, wanted.name if wanted else argument.dtype)


def as_meant(argument: CaseArgument, parameter: Parameter) -> CaseArgument:
    """The argument in the parameter's type where it is refused for its own, to say the rest."""
    wanted = parameter_dtype(parameter)
    if argument.shape is not None or wanted is None or _not_numpy(argument) is None:
        return argument
    return replace(argument, dtype=wanted.name)


def _not_numpy(argument: CaseArgument) -> str | None:
    """Name of the type that PyCUDA does not pack; None if it does."""
    if argument.dtype in _BOOLS or (argument.dtype == "bool" and "bool_" in argument.passed):
        return "np.bool_"
    if argument.dtype in _PYTHON_TYPES:
        return _PYTHON_TYPES[argument.dtype]
    return _OF_PYTHON.get(read_expression(argument.passed).kind)


def _not_a_number(argument: CaseArgument, place: int, kind: str, wanted: str) -> Finding:
    text = _("Type mismatch: {name} is passed as {kind}; PyCUDA takes NumPy scalars only")
    value = argument.passed if kind in _OF_PYTHON.values() and argument.passed else argument.value
    value = int(value) if isinstance(value, bool) else value
    # A bool of NumPy is no number for PyCUDA; one byte holds it as well.
    taken = "uint8" if wanted == "bool" else wanted
    return Finding(
        kind="argument-not-numpy",
        severity=Severity.ERROR,
        message=text.format(name=argument.name, kind=kind),
        detail=_(
            "PyCUDA raises TypeError for parameter {place} (from 0). Pass `np.{wanted}({value})`."
        ).format(place=place, wanted=taken, value=value),
        numbers={"place": place, "have": kind, "wanted": taken},
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _no_elements(argument: CaseArgument) -> Finding:
    text = _("Empty array: {array} has no elements, and 0 bytes cannot be allocated")
    return Finding(
        kind="empty-array",
        severity=Severity.ERROR,
        message=text.format(array=argument.name),
        detail=_("`cuMemAlloc` fails with invalid argument. Skip the launch if n is 0."),
        where=Where(array=argument.name),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )
