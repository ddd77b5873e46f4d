# SPDX-License-Identifier: MIT
"""A kernel's output held against NumPy's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one output array agrees with the reference."""

    array: str
    elements: int
    mismatches: int
    """Elements whose error is above the tolerance, or that are NaN where the reference is not."""
    max_error: float
    """Largest absolute difference; inf if a value is missing."""
    tolerance: float
    """Largest absolute difference allowed at the place of ``max_error``."""
    first: int | None = None
    """Flat index of the first mismatch."""
    got: float | None = None
    """Value there."""
    expected: float | None = None

    @property
    def matches(self) -> bool:
        """Whether no element differs."""
        return self.mismatches == 0
