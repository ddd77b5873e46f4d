# SPDX-License-Identifier: MIT
"""Hold a kernel's output against the reference."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from threadloom.backends.base import Outputs
from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.services.run.binding import renamed
from threadloom.services.run.stages import Ready


def compared(stage: Ready, outputs: Outputs) -> Ready:
    """The stage with the outputs of its launch."""
    arrays, found = renamed(outputs.arrays, stage.bound), compare_outputs(stage, outputs)
    return stage.seen(replace(stage.observation, outputs=arrays, comparisons=found))


def compare_outputs(stage: Ready, outputs: Outputs) -> tuple[Comparison, ...]:
    """Compare every output that the kernel was given with its reference."""
    problem, arrays = stage.problem, renamed(outputs.arrays, stage.bound)
    return tuple(
        compare(name, arrays[name], problem.reference[name], problem.tolerances[name])
        for name in problem.tolerances
        if name in arrays
    )


def compare(array: str, output: Array, reference: Array, tolerance: float) -> Comparison:
    """Count the elements that differ by more than allowed.

    Equal infinities agree, and so do two NaNs; any other NaN or infinity is an infinite error.

    Args:
        array: Name to put into the comparison.
        output: What the kernel wrote; any shape with as many elements as the reference.
        reference: What it should have written.
        tolerance: Error allowed, as a share of the largest finite absolute value of the reference.

    Raises:
        ValueError: If the numbers of elements differ.
    """
    expected = reference.reshape(-1)
    got = output.reshape(-1)
    if got.dtype.kind == "c" and expected.dtype.kind != "c":  # pairs
        got = np.ascontiguousarray(got).view(np.real(got).dtype)
    if got.size != expected.size:
        raise ValueError(f"{array} has {got.size} elements, its reference {expected.size}")
    error = _error(got, expected)
    largest = float(error.max(initial=0.0))
    allowed = tolerance * _largest_finite(expected)
    wrong = error > allowed if largest > allowed else np.zeros(0, bool)
    mismatches = int(np.count_nonzero(wrong))
    first = int(np.argmax(wrong)) if mismatches else None
    return Comparison(
        array=array,
        elements=int(expected.size),
        mismatches=mismatches,
        max_error=largest,
        tolerance=allowed,
        first=first,
        got=None if first is None else float(got[first]),
        expected=None if first is None else float(expected[first]),
    )


def _error(got: Array, expected: Array) -> Array:
    """Absolute difference by element, inf where one is missing."""
    if got.dtype.kind != "f" or expected.dtype.kind != "f":
        got, expected = got.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        error: Array = np.abs(np.subtract(got, expected))
    if math.isnan(float(error.max(initial=0.0))):
        alike = (got == expected) | (np.isnan(got) & np.isnan(expected))
        error[np.isnan(error)] = np.inf
        error[alike] = 0.0
    return error


def _largest_finite(values: Array) -> float:
    if not values.size:
        return 0.0
    largest = max(float(values.max()), -float(values.min()))
    if math.isfinite(largest):
        return largest
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max(initial=0.0))
