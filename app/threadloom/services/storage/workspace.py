# SPDX-License-Identifier: MIT
"""What a user has chosen: kept between starts, saved to and opened from a readable file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.services.storage.checked_values import Axes, Lines, Name, OneOf, Range, Text


@dataclass(frozen=True, slots=True)
class Workspace:
    """One set of choices. Values change only through `with_`, which gives a new one."""

    operation: Annotated[str, Name()] = "vector_add"
    variant: Annotated[str, Name()] = "grid"
    sizes: Annotated[Mapping[str, int], Axes()] = field(default_factory=lambda: {"n": 1_000_000})
    dtype: Annotated[str, OneOf(("float16", "float32", "float64", "int32"))] = "float32"
    block: Dim3 = Dim3(256)
    grid: Dim3 = Dim3(3907)
    grid_follows_size: bool = True
    shared_bytes: Annotated[int | None, Range()] = None
    engine: EngineChoice = EngineChoice.AUTO
    device: Annotated[int, Range(0, 1023)] = 0
    model: Annotated[str, Text()] = "RTX 4090"
    seed: Annotated[int, Range(0, 2**63 - 1)] = 0
    live: bool = True
    source: Annotated[str | None, Lines()] = None
    """Edited source, None while it is the variant's own."""
    entry: Annotated[str | None, Text()] = None
    source_file: Annotated[str | None, Text()] = None
    """Where the edited source was opened from or saved to."""

    def with_(self, **changes: object) -> Workspace:
        """A copy with some values changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def job(self) -> Job:
        """The job that these choices ask for."""
        return Job(
            operation=self.operation,
            variant=self.variant,
            sizes=dict(self.sizes),
            dtype=self.dtype,
            block=self.block,
            grid=None if self.grid_follows_size else self.grid,
            shared_bytes=self.shared_bytes,
            engine=self.engine,
            device=self.device,
            model=self.model,
            seed=self.seed,
            source=self.source,
            entry=self.entry,
        )
