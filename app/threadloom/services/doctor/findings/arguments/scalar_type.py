# SPDX-License-Identifier: MIT
"""Numbers whose type is not the parameter's, so that the kernel receives others."""

from collections.abc import Iterable

import numpy as np

from threadloom.model.array import Value
from threadloom.model.finding import Finding, Verdict
from threadloom.model.message import _
from threadloom.model.program import Parameter
from threadloom.model.severity import Severity
from threadloom.services.doctor.argument_layout import parameter_dtype, received
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold each number's type against its parameter's; it matters if a value changes on the way."""
    if context.run.signature is None:
        return
    read = received(context.run.signature, context.known.arguments)
    changed = {
        name: value
        for name, value in read.items()
        if not _same(value, context.known.arguments[name])
    }
    for parameter in context.run.signature.parameters:
        passed, wanted = context.known.arguments.get(parameter.name), parameter_dtype(parameter)
        if parameter.pointer or passed is None or wanted is None:
            continue
        if passed.dtype.itemsize != wanted.itemsize or passed.dtype.kind != wanted.kind:
            if passed.dtype.kind in "iu" and not changed:
                continue
            yield _finding(parameter, passed, wanted, changed)


def _same(received_value: np.generic, passed: Value) -> bool:
    return bool(received_value == passed) or bool(received_value != received_value)


def _finding(
    parameter: Parameter,
    passed: Value,
    wanted: np.dtype[np.generic],
    changed: dict[str, np.generic],
) -> Finding:
    values = ", ".join(f"{name} = {value.item()}" for name, value in changed.items())
    text = _("Pass `np.{wanted}({value})`.")
    if changed:
        text = _("The kernel receives {values}. Pass `np.{wanted}({value})`.")
    return Finding(
        kind="scalar-type",
        severity=Severity.ERROR if changed else Severity.NOTE,
        message=_("Type mismatch: {name} is passed as {have}, but the kernel takes {type}").format(
            name=parameter.name, have=passed.dtype.name, type=parameter.type
        ),
        detail=text.format(values=values, wanted=wanted.name, value=passed.item()),
        numbers={"have": passed.dtype.name, "wanted": wanted.name},
        verdict=Verdict.WRONG_RESULT if changed else Verdict.OK,
    )
