# SPDX-License-Identifier: MIT
"""What to run: one kernel with its problem, launch, engine and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.dim3 import Dim3


class EngineChoice(StrEnum):
    """What is asked to run a kernel."""

    AUTO = "auto"
    """A GPU if there is one, else the emulator."""
    GPU = "gpu"
    EMULATOR = "emulator"


@dataclass(frozen=True, slots=True)
class Job:
    """One kernel with its problem and launch."""

    operation: str
    variant: str
    sizes: Mapping[str, int]
    """Every axis of the operation."""
    dtype: str = "float32"
    block: Dim3 | None = None
    """The variant's default if None."""
    grid: Dim3 | None = None
    """The variant's rule for the block if None."""
    shared_bytes: int | None = None
    """The variant's rule if None."""
    engine: EngineChoice = EngineChoice.AUTO
    device: int = 0
    """The driver's number of the GPU."""
    model: str = "RTX 4090"
    """Name in the device table: limits and modeled times where no GPU is used."""
    seed: int = 0
    source: str | None = None
    """Edited source; the variant's own file if None."""
    entry: str | None = None
    """Kernel of the edited source; the variant's own, else the only or first one, if None."""
    operations_folder: str | None = None
    """The user's own operations."""
