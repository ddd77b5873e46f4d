# SPDX-License-Identifier: MIT
"""What PyCUDA refuses of ``block``, ``grid`` and ``shared`` before the driver is called.

``Function.__call__`` unpacks ``block`` into exactly three C integers, reads up to three from the
tuple ``grid``, and converts nothing but Python's own ``int`` (PyCUDA, ``driver.py`` and
``cuda.hpp``: ``set_block_shape``, ``launch_kernel``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from threadloom.model.case import Case
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import Message, _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.cases.source_checks.python_kind import (
    Expression,
    Kind,
    read_expression,
)

AXES = 3
_SINGLE = {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.NUMPY, Kind.TEXT}
_REFUSED = {Kind.FLOAT, Kind.NUMPY, Kind.TEXT, Kind.NONE}


NO_LAUNCH = Launch(Dim3(), Dim3())
"""Stands for a launch that cannot be described."""


def is_whole(value: object) -> bool:
    """Whether a launch can have this as an extent."""
    return isinstance(value, int) and not isinstance(value, bool)


def asked_launch(case: Case) -> Launch | None:
    """The launch of a case if it is up to three whole numbers each and a whole one of bytes."""
    if not all(is_whole(value) for value in (*case.block, *case.grid, case.shared_bytes)):
        return None
    if not case.block or max(len(case.block), len(case.grid)) > AXES:
        return None
    block, grid = (Dim3.of(whole_extents(e)) for e in (case.block, case.grid))  # type: ignore[arg-type]
    return Launch(grid, block, int(case.shared_bytes))  # type: ignore[call-overload]


def refused_extents(case: Case) -> Iterator[Finding]:
    """What PyCUDA does not take as a launch, by the values and by the quoted expressions."""
    for part, given, text in (
        ("block", case.block, case.block_py),
        ("grid", case.grid, case.grid_py),
    ):
        expression = read_expression(text, part)
        shape = _wrong_shape(part, given, expression)
        if shape:
            yield shape
        else:
            yield from _wrong_values(case, part, given, expression)
    if not is_whole(case.shared_bytes):
        yield _shared(case.shared_bytes)


def whole_extents(values: Sequence[object]) -> tuple[object, ...]:
    """Up to three extents; what is missing is 1."""
    return (*values, *[1] * (AXES - len(values)))[:AXES]


def nearest_whole(value: object) -> tuple[int, ...]:
    """Whole extents that may be meant, smaller first."""
    if is_whole(value):
        return (int(value),)  # type: ignore[call-overload]
    if isinstance(value, float) and math.isfinite(value):
        return tuple(dict.fromkeys((max(1, math.floor(value)), max(1, math.ceil(value)))))
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return (int(value),)
    return ()


def _wrong_shape(part: str, given: Sequence[object], expression: Expression) -> Finding | None:
    """A finding if it is no tuple of as many numbers as PyCUDA wants."""
    written = len(expression.parts) if expression.parts else len(given)
    if expression.kind is Kind.NONE or (part == "block" and not given):
        return _missing(part)
    if expression.kind in _SINGLE and _is_literal(expression):
        return _no_tuple(part, given, _("a single value"), expression.text)
    if expression.kind is Kind.LIST:
        return _no_tuple(part, given, _("a list"), expression.text)
    if written > AXES or (part == "block" and written != AXES):
        return _wrong_length(part, given, written, expression.text)
    return None


def _wrong_values(
    case: Case, part: str, given: Sequence[object], expression: Expression
) -> Iterator[Finding]:
    # An expression of one number tells how the first extent comes about.
    known = expression.parts or ((expression,) if expression.kind in _SINGLE else ())
    for axis, value, made in itertools.zip_longest("xyz"[: len(given)], given, known[: len(given)]):
        if not is_whole(value):
            yield _not_whole(case, part, axis, value, made)
        elif made is not None and made.kind in _REFUSED:
            yield _not_an_int(case, part, axis, value, made)


def _is_literal(expression: Expression) -> bool:
    return expression.text.isalnum() or expression.text[:1] in {"'", '"'}


def _title(part: str) -> Message:
    return _("Block") if part == "block" else _("Grid")


def _finding(
    kind: str, message: Message, detail: Message, control: Control, **numbers: object
) -> Finding:
    return Finding(
        kind=kind,
        severity=Severity.ERROR,
        message=message,
        detail=detail,
        numbers={k: v if isinstance(v, int | float) else str(v) for k, v in numbers.items()},
        verdict=Verdict.LAUNCH_ERROR,
        control=control,
    )


def _missing(part: str) -> Finding:
    text = _("Missing {part}: PyCUDA needs one for each launch")
    example = "block=(256, 1, 1)" if part == "block" else "grid=(1, 1)"
    return _finding(
        f"{part}-missing",
        text.format(part=part),
        _("Pass it, for example `{example}`.").format(example=example),
        Control(f"{part}.x"),
    )


def _no_tuple(part: str, given: Sequence[object], what: Message, written: str) -> Finding:
    text = _("{part} is {written}, {what}; PyCUDA takes a tuple")
    return _finding(
        f"{part}-not-tuple",
        text.format(part=_title(part), written=written, what=what),
        _write(part, given),
        Control(f"{part}.x"),
        asked=written,
    )


def _wrong_length(part: str, given: Sequence[object], length: int, written: str) -> Finding:
    if part == "block":
        text = _("{part} {written} has {length} of the three numbers that PyCUDA takes")
    else:
        text = _("{part} {written} has {length} numbers; PyCUDA takes at most three")
    shown = written or f"({', '.join(map(str, given))}{',' if length == 1 else ''})"
    return _finding(
        f"{part}-not-tuple",
        text.format(part=_title(part), written=shown, length=count(length)),
        _write(part, given),
        Control(f"{part}.x"),
        asked=length,
        limit=AXES,
    )


def _write(part: str, given: Sequence[object]) -> Message:
    values = whole_extents(given)
    if not all(is_whole(value) for value in values):
        return _("Write a tuple of three integers.")
    written = ", ".join(str(value) for value in values)
    return _("Write `{part}=({values})`.").format(part=part, values=written)


def _not_whole(case: Case, part: str, axis: str, value: object, made: Expression | None) -> Finding:
    text = _("{part} {axis} is {value}, not an integer")
    if isinstance(value, float) and value.is_integer():
        text = _("{part} {axis} is {value}, a float; PyCUDA takes an int")
    elif isinstance(value, str):
        text = _("{part} {axis} is the string “{value}”; PyCUDA takes an int")
    return _finding(
        f"{part}-not-whole",
        text.format(part=_title(part), axis=axis, value=value),
        _fix_text(case, part, axis, value, made),
        Control(f"{part}.{axis}"),
        axis=axis,
        asked=value,
    )


def _not_an_int(case: Case, part: str, axis: str, value: object, made: Expression) -> Finding:
    kinds = {
        Kind.FLOAT: _("a float"),
        Kind.NUMPY: _("a NumPy scalar"),
        Kind.TEXT: _("a string"),
        Kind.NONE: _("None"),
    }
    text = _("{part} {axis} is {written}, {what}; PyCUDA takes a Python int")
    return _finding(
        f"{part}-not-whole",
        text.format(part=_title(part), axis=axis, written=made.text, what=kinds[made.kind]),
        _fix_text(case, part, axis, value, made),
        Control(f"{part}.{axis}"),
        axis=axis,
        asked=value,
    )


def _fix_text(case: Case, part: str, axis: str, value: object, made: Expression | None) -> Message:
    """What to write instead: a division that rounds up, or a conversion."""
    if made is not None and made.kind is Kind.NUMPY:
        return _("Write `int({written})`.").format(written=made.text)
    if isinstance(value, str):
        return _("Write `int({written})`.").format(written=repr(value))
    size = whole_extents(case.block)["xyz".index(axis)]
    step = size if part == "grid" and isinstance(size, int) and size > 1 else 256
    return _("Divide with `//` and round up: `(n + {less}) // {step}`.").format(
        less=int(step) - 1, step=step
    )


def _shared(value: object) -> Finding:
    text = _("shared is {value}; PyCUDA takes an int, the number of bytes")
    return _finding(
        "shared-not-whole",
        text.format(value=repr(value)),
        _("Multiply integers: `count * np.dtype(np.float32).itemsize`."),
        Control.SHARED,
        asked=value,
    )
