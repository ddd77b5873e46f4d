# SPDX-License-Identifier: MIT
"""Launches small kernels, uninstrumented and observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from threadloom.backends.base import Compiled, Outputs
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import Trace
from threadloom.services.devices import device_table


@dataclass(frozen=True)
class Lab:
    """An engine with short calls for tests."""

    engine: EmulatorBackend

    def compile(self, text: str, entry: str = "k") -> Compiled:
        return self.engine.compile(Program(text, entry))

    def launch(self, grid: Sequence[int], block: Sequence[int], shared: int = 0) -> Launch:
        return Launch(Dim3.of(grid), Dim3.of(block), shared)

    def run(
        self,
        text: str,
        grid: Sequence[int],
        block: Sequence[int],
        entry: str = "k",
        shared: int = 0,
        **arguments: Array | np.generic,
    ) -> Outputs:
        launch = Launch(Dim3.of(grid), Dim3.of(block), shared)
        return self.engine.run(self.compile(text, entry), launch, arguments)

    def trace(
        self,
        text: str,
        grid: Sequence[int],
        block: Sequence[int],
        entry: str = "k",
        shared: int = 0,
        keep: Dim3 | None = None,
        undefined: tuple[str, ...] = (),
        **arguments: Array | np.generic,
    ) -> Trace:
        launch = Launch(Dim3.of(grid), Dim3.of(block), shared)
        compiled = self.compile(text, entry)
        return self.engine.trace(compiled, launch, arguments, keep, (), undefined).trace

    def both(
        self,
        text: str,
        grid: Sequence[int],
        block: Sequence[int],
        entry: str = "k",
        shared: int = 0,
        **arguments: Array | np.generic,
    ) -> Outputs:
        """Run uninstrumented and observed: the same results, and no violation or race."""
        launch = Launch(Dim3.of(grid), Dim3.of(block), shared)
        compiled = self.compile(text, entry)
        plain = self.engine.run(compiled, launch, arguments)
        observed = self.engine.trace(compiled, launch, arguments)
        assert observed.trace.violations == ()
        assert observed.trace.races == ()
        for name, array in plain.arrays.items():
            np.testing.assert_array_equal(observed.outputs.arrays[name], array)
        return plain


@pytest.fixture(scope="session")
def lab() -> Lab:
    return Lab(EmulatorBackend(device_table.find("RTX 4090"), workers=2))
