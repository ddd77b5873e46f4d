# SPDX-License-Identifier: MIT
"""What a user has chosen: kept between starts, saved to and opened from a readable file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job


@dataclass(frozen=True, slots=True)
class Workspace:
    """One set of choices. Values change only through `with_`, which gives a new one."""

    operation: str = "vector_add"
    variant: str = "grid"
    sizes: Mapping[str, int] = field(default_factory=lambda: {"n": 1_000_000})
    dtype: str = "float32"
    block: Dim3 = Dim3(256)
    grid: Dim3 = Dim3(3907)
    grid_follows_size: bool = True
    shared_bytes: int | None = None
    engine: EngineChoice = EngineChoice.AUTO
    device: int = 0
    model: str = "RTX 4090"
    seed: int = 0
    live: bool = True
    source: str | None = None
    """Edited source, None while it is the variant's own."""
    entry: str | None = None
    source_file: str | None = None
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
