# SPDX-License-Identifier: MIT
"""Arrays whose elements are not what the kernel reads."""

from collections.abc import Iterable

import numpy as np

from threadloom.model.array import Array
from threadloom.model.finding import Finding, Verdict, Where
from threadloom.model.message import Message, _, literal
from threadloom.model.program import Parameter
from threadloom.model.severity import Severity
from threadloom.services.doctor.argument_layout import holds_pairs, parameter_dtype
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold each array's type against its parameter's; whether an integer has a sign is no fault."""
    for parameter in context.run.signature.parameters if context.run.signature else ():
        array, wanted = context.known.arguments.get(parameter.name), parameter_dtype(parameter)
        if not parameter.pointer or wanted is None or not isinstance(array, np.ndarray):
            continue
        if not _alike(_component(array.dtype, parameter), wanted):
            yield _finding(parameter, array, wanted)


def _component(have: np.dtype[np.generic], parameter: Parameter) -> np.dtype[np.generic]:
    """Of complex numbers, which lie as pairs do, the type of one part."""
    if have.kind == "c" and holds_pairs(parameter):
        return np.dtype(f"{have.byteorder}f{have.itemsize // 2}")
    return have


def _alike(have: np.dtype[np.generic], wanted: np.dtype[np.generic]) -> bool:
    kinds = {"u": "i", "b": "i"}
    same_kind = kinds.get(have.kind, have.kind) == kinds.get(wanted.kind, wanted.kind)
    return same_kind and have.itemsize == wanted.itemsize and have.isnative


def _type_text(have: np.dtype[np.generic]) -> Message:
    return literal(have.name) if have.isnative else _("byte-swapped {type}").format(type=have.name)


def _finding(parameter: Parameter, array: Array, wanted: np.dtype[np.generic]) -> Finding:
    return Finding(
        kind="array-type",
        severity=Severity.ERROR,
        message=_("Type mismatch: {array} holds {have}, but the kernel reads {type}").format(
            array=parameter.name, have=_type_text(array.dtype), type=parameter.type
        ),
        detail=_("Pass `{array}.astype(np.{wanted})`.").format(
            array=parameter.name, wanted=wanted.name
        ),
        where=Where(array=parameter.name),
        numbers={"have": array.dtype.name, "wanted": wanted.name},
        verdict=Verdict.WRONG_RESULT,
    )
