# SPDX-License-Identifier: MIT
"""One launch that is made by the emulator in the tests and by a GPU where there is one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from threadloom.model.array import Array, Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program

KERNELS = Path(__file__).resolve().parents[1] / "data" / "kernels"

Answer = Callable[[Values], Mapping[str, Array]]
"""What the outputs hold afterwards, from the arguments; an array that is left out may hold
anything."""


@dataclass(frozen=True)
class Case:
    """One launch with what it is given and, where it is known, what comes of it."""

    name: str
    program: Program
    launch: Launch
    values: Callable[[], Values]
    """Makes the arguments, always the same."""
    answer: Answer | None = None
    tolerance: float = 0.0
    """Largest error allowed, as a share of the largest absolute value of the answer."""
    keeps: tuple[str, ...] = ()
    """Outputs that are the same however the threads run; all if empty."""

    @property
    def digest(self) -> str:
        """Says whether a record is of the same source."""
        return hashlib.sha256(self.program.text.encode()).hexdigest()[:12]

    def kept(self, outputs: Mapping[str, Array]) -> dict[str, Array]:
        """Those of the outputs that can be held against another engine's."""
        return {name: array for name, array in outputs.items() if name in (self.keeps or outputs)}


def program(file: str, entry: str) -> Program:
    """A kernel of a file in the tests' folder of kernels."""
    return Program((KERNELS / file).read_text("utf-8"), entry, Path(file).name)


def launch(grid: tuple[int, ...], block: tuple[int, ...], shared_bytes: int = 0) -> Launch:
    """A launch from plain numbers."""
    return Launch(Dim3(*grid), Dim3(*block), shared_bytes)


def differences(case: Case, outputs: Mapping[str, Array], wanted: Mapping[str, Array]) -> list[str]:
    """What is wrong with the outputs, a line for each array."""
    found = []
    for name, right in wanted.items():
        error = _error(outputs[name], right)
        if not error <= case.tolerance:
            found.append(f"{case.name}: {name} is off by {error:.3g} of its largest value")
    return found


def _error(array: Array, right: Array) -> float:
    """Largest difference as a share of the largest absolute value; 0 for the same bits."""
    flat, wanted = np.asarray(array).ravel(), np.asarray(right).ravel()
    if flat.shape != wanted.shape:
        return float("inf")
    if np.array_equal(flat, wanted):
        return 0.0
    one, other = (np.asarray(a, np.float64) for a in (flat, wanted))
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    largest = float(np.abs(other[np.isfinite(other)]).max(initial=0.0)) or 1.0
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(one - other))
    return float(np.where(np.isnan(apart), np.inf, apart).max(initial=0.0)) / largest
