# SPDX-License-Identifier: MIT
"""Give each parameter of a kernel the operation's argument that is meant for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from threadloom.model.array import Array, Value, Values
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.program import Parameter, Signature
from threadloom.model.severity import Severity

C_TYPES: Mapping[str, str] = {
    "float": "float32",
    "double": "float64",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned": "uint32",
    "unsigned int": "uint32",
    "long long": "int64",
    "unsigned long long": "uint64",
    "size_t": "uint64",
    "int8_t": "int8",
    "uint8_t": "uint8",
    "int16_t": "int16",
    "uint16_t": "uint16",
    "int32_t": "int32",
    "uint32_t": "uint32",
    "int64_t": "int64",
    "uint64_t": "uint64",
}
"""NumPy's names of C types that are alike on every platform that CUDA has."""

ELEMENT = "real"
"""Name that our sources give to the element type."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """Arguments by parameter, in the kernel's order."""

    arguments: Values
    argument_of: Mapping[str, str]
    """Name of the operation's argument by parameter."""
    findings: tuple[Finding, ...] = ()
    """Parameters without an argument; the kernel cannot be launched then."""


def bind(signature: Signature, values: Values, dtype: str) -> Bound:
    """Bind by name, then what is left over in order, where the types agree.

    A pointer takes an array of its element type, a number of any integer type takes a size; it is
    converted to the parameter's own type, as a wrong width would shift all that follows.
    """
    named = {p.name: p.name for p in signature.parameters if p.name in values}
    left = [name for name in values if name not in named]
    arguments: dict[str, Value] = {}
    argument_of: dict[str, str] = {}
    findings: list[Finding] = []
    for parameter in signature.parameters:
        name = named.get(parameter.name) or (left.pop(0) if left else None)
        converted = None if name is None else _converted(parameter, values[name], dtype)
        if name is None or converted is None:
            findings.append(_unbound(signature, parameter, name, values))
        else:
            arguments[parameter.name] = converted
            argument_of[parameter.name] = name
    return Bound(arguments, argument_of, tuple(findings))


def _converted(parameter: Parameter, value: Value, dtype: str) -> Value | None:
    """The value as the parameter takes it, None if it cannot."""
    wanted = dtype if parameter.type == ELEMENT else C_TYPES.get(parameter.type)
    if parameter.pointer:
        fits = isinstance(value, np.ndarray) and wanted in {None, value.dtype.name}
        return value if fits else None
    if isinstance(value, np.ndarray) or wanted is None:
        return None
    scalar = np.dtype(wanted)
    if scalar.kind not in "iu" or int(value) > np.iinfo(scalar).max:
        return None
    converted: np.generic = scalar.type(int(value))
    return converted


def _unbound(
    signature: Signature, parameter: Parameter, argument: str | None, values: Values
) -> Finding:
    known = ", ".join(f"{name}: {_kind(value)}" for name, value in values.items())
    if argument is None:
        text = _("Parameter {parameter} of {kernel} has no argument")
    else:
        text = _("Parameter {parameter} of {kernel} does not accept {argument}")
    return Finding(
        kind="parameter-unbound",
        severity=Severity.ERROR,
        message=text.format(parameter=parameter.name, kernel=signature.name, argument=argument),
        detail=_("The parameter is {type}; the operation passes {known}.").format(
            type=_written(parameter), known=known
        ),
        where=Where(line=signature.line, array=parameter.name if parameter.pointer else None),
        numbers={"parameter": parameter.name, "type": _written(parameter)},
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _written(parameter: Parameter) -> str:
    const = "const " if parameter.pointer and parameter.const else ""
    return f"{const}{parameter.type}{'*' if parameter.pointer else ''}"


def _kind(value: Value) -> str:
    return f"{value.dtype.name}[]" if isinstance(value, np.ndarray) else type(value).__name__


def renamed(arrays: Mapping[str, Array], bound: Bound) -> dict[str, Array]:
    """Arrays by the operation's names instead of the kernel's."""
    return {bound.argument_of.get(name, name): array for name, array in arrays.items()}
