# SPDX-License-Identifier: MIT
"""Results that differ from NumPy's."""

import math
from collections.abc import Iterable

from threadloom.model.comparison import Comparison
from threadloom.model.finding import Finding, Where
from threadloom.model.program import Severity
from threadloom.services.diagnose.facts import Facts
from threadloom.text import _, count, ngettext, significant


def find(facts: Facts) -> Iterable[Finding]:
    """Say how many elements of each output differ, and show one."""
    for comparison in facts.comparisons:
        if not comparison.matches:
            yield _finding(comparison)


def _finding(comparison: Comparison) -> Finding:
    wrong = comparison.mismatches
    text = ngettext(
        "{wrong} of {elements} element of {array} differs from NumPy",
        "{wrong} of {elements} elements of {array} differ from NumPy",
        comparison.elements,
    )
    return Finding(
        kind="mismatch",
        severity=Severity.ERROR,
        message=text.format(
            wrong=count(wrong), elements=count(comparison.elements), array=comparison.array
        ),
        detail=_example(comparison),
        where=Where(array=comparison.array, index=comparison.first),
        numbers=_numbers(comparison),
        verdict="wrong-result",
    )


def _example(comparison: Comparison) -> str:
    if comparison.first is None or comparison.got is None or comparison.expected is None:
        return ""
    return _("{array}[{index}] is {got}; NumPy says {expected}").format(
        array=comparison.array,
        index=comparison.first,
        got=_number(comparison.got),
        expected=_number(comparison.expected),
    )


def _number(value: float) -> str:
    return "NaN" if math.isnan(value) else significant(value, 6)


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
