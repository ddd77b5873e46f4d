# SPDX-License-Identifier: MIT
"""The launches that are timed in several ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Program
from threadloom_kernels import default_launch, discover, make_arguments, read_source

PLAN = (
    ("vector_add", "grid", (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)),
    ("matmul", "naive", (256, 512, 1024, 2048, 4096)),
    ("matmul", "shared_tile", (256, 512, 1024, 2048, 4096)),
)


@dataclass(frozen=True)
class Workload:
    """One launch with its problem, float32."""

    operation: Operation
    variant: Variant
    size: int

    @property
    def name(self) -> str:
        """Such as ``matmul/naive 256``."""
        return f"{self.operation.name}/{self.variant.name} {self.size}"

    @property
    def sizes(self) -> dict[str, int]:
        """Every axis."""
        return self.operation.sizes({axis.name: self.size for axis in self.operation.axes})

    @property
    def program(self) -> Program:
        """Source and kernel."""
        text = read_source(self.operation, self.variant, "float32")
        return Program(text, self.variant.entry, self.variant.file)

    @property
    def launch(self) -> Launch:
        """The variant's own."""
        return default_launch(self.variant, self.sizes, 4)

    def values(self) -> Values:
        """Arguments, always the same."""
        return make_arguments(self.operation, self.sizes, "float32", seed=1)


def workloads() -> Iterator[Workload]:
    """All of the plan, in its order."""
    known = discover()
    for operation, variant, sizes in PLAN:
        for size in sizes:
            yield Workload(known[operation], known[operation].variant(variant), size)
