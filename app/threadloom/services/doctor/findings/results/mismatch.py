# SPDX-License-Identifier: MIT
"""Results that differ from NumPy's."""

import math
from collections.abc import Iterable

from threadloom.model.comparison import Comparison
from threadloom.model.finding import Finding, Verdict, Where
from threadloom.model.message import NOTHING, Message, Quantity, _, count, ngettext, significant
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import reaching_all


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say how many elements of each output differ, and show one."""
    for comparison in context.run.comparisons:
        if not comparison.matches:
            yield _finding(context, comparison)


def _finding(context: DiagnosticContext, comparison: Comparison) -> Finding:
    wrong = comparison.mismatches
    unwritten = _is_unwritten(context, comparison)
    text = ngettext(
        "Mismatch: {wrong} of {elements} element of {array} differs from NumPy",
        "Mismatch: {wrong} of {elements} elements of {array} differ from NumPy",
        comparison.elements,
    )
    return Finding(
        kind="mismatch",
        severity=Severity.ERROR,
        message=text.format(
            wrong=count(wrong), elements=count(comparison.elements), array=comparison.array
        ),
        detail=_("No thread writes them.") if unwritten else _example(comparison),
        where=Where(array=comparison.array, index=comparison.first),
        numbers=_numbers(comparison),
        fixes=reaching_all(context) if unwritten else (),
        verdict=Verdict.WRONG_RESULT,
    )


def _is_unwritten(context: DiagnosticContext, comparison: Comparison) -> bool:
    """Whether what differs is what no thread wrote: then a launch that reaches it mends it.

    Elements that are left out hold no number in an observed run, so each of them differs, and as
    many that differ are the same ones.
    """
    coverage = context.run.trace.coverage.get(comparison.array) if context.run.trace else None
    if coverage is None or comparison.first is None or coverage.writes[comparison.first]:
        return False
    return coverage.uncovered == comparison.mismatches


def _example(comparison: Comparison) -> Message:
    if comparison.first is None or comparison.got is None or comparison.expected is None:
        return NOTHING
    got, expected = _apart(comparison.got, comparison.expected)
    return _("{array}[{index}] is {got}; NumPy gives {expected}").format(
        array=comparison.array, index=comparison.first, got=got, expected=expected
    )


def _apart(one: float, other: float) -> tuple[Quantity | str, Quantity | str]:
    """Two numbers with as many digits as they differ by."""
    for digits in range(6, 17):
        shown = str(_number(one, digits)), str(_number(other, digits))
        if shown[0] != shown[1]:
            return _number(one, digits), _number(other, digits)
    return _number(one, 17), _number(other, 17)


def _number(value: float, digits: int) -> Quantity | str:
    return "NaN" if math.isnan(value) else significant(value, digits)


def _numbers(comparison: Comparison) -> dict[str, int | float | str]:
    numbers: dict[str, int | float | str] = {
        "mismatches": comparison.mismatches,
        "elements": comparison.elements,
        "max_error": comparison.max_error,
        "tolerance": comparison.tolerance,
    }
    if comparison.got is not None and comparison.expected is not None:
        numbers |= {"got": comparison.got, "expected": comparison.expected}
    return numbers
