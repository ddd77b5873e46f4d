# SPDX-License-Identifier: MIT
"""What NumPy has for one element."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.operation import Operation
from threadloom.model.run import Run
from threadloom.presentation.mapping.elements import value_text
from threadloom.text import _, significant

CHEAP_FLOPS = 20_000_000
"""References of up to so many operations are computed in the window, within about 50 ms."""


@dataclass(frozen=True, slots=True)
class ReferenceCheck:
    """One element, or its whole array, held against NumPy."""

    matches: bool
    words: str


class References:
    """NumPy's answer for the run that is shown, computed once where that is cheap."""

    def __init__(self) -> None:
        self._result: Run | None = None
        self._arrays: dict[str, Array] = {}

    def verdict(
        self, result: Run, operation: Operation | None, array: str, element: int | None
    ) -> ReferenceCheck | None:
        """Hold an element against NumPy; the whole array where that is all that is known."""
        comparison = next((one for one in result.comparisons if one.array == array), None)
        if comparison is None:
            return None
        expected = None
        if element is not None and operation is not None:
            expected = self._expected(result, operation, comparison, element)
        if expected is None:
            return _of_array(comparison)
        got = float(result.outputs[array].reshape(-1)[element])
        difference = abs(got - expected)
        words = _("NumPy: {value}, difference {difference}").format(
            value=value_text(expected), difference=significant(difference, 2)
        )
        return ReferenceCheck(difference <= comparison.tolerance, words)

    def _expected(
        self, result: Run, operation: Operation, comparison: Comparison, element: int
    ) -> float | None:
        if element == comparison.first and comparison.expected is not None:
            return comparison.expected
        if result is not self._result:
            self._result, self._arrays = result, {}
            sizes = operation.sizes(result.job.sizes)
            if operation.flops(sizes) <= CHEAP_FLOPS and result.inputs:
                self._arrays = dict(operation.reference(result.inputs, sizes))
        values = self._arrays.get(comparison.array)
        return None if values is None else float(values.reshape(-1)[element])


def _of_array(comparison: Comparison) -> ReferenceCheck:
    if comparison.matches:
        words = _("{array} matches NumPy (max error {error}, tolerance {allowed})")
    else:
        words = _("{array} differs from NumPy (max error {error}, tolerance {allowed})")
    return ReferenceCheck(
        comparison.matches,
        words.format(
            array=comparison.array,
            error=significant(comparison.max_error, 2),
            allowed=significant(comparison.tolerance, 2),
        ),
    )
