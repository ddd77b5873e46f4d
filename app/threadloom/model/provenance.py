# SPDX-License-Identifier: MIT
"""Where a figure comes from."""

from __future__ import annotations

from enum import StrEnum


class Provenance(StrEnum):
    """Every figure and every curve carries one of these three."""

    MEASURED = "measured"
    """Taken with a clock on the hardware that is named."""
    MODELED = "modeled"
    """Computed for a GPU from the device table; nothing ran there."""
    EMULATED = "emulated"
    """Counted or timed in the CPU emulator."""

    @classmethod
    def _missing_(cls, value: object) -> Provenance | None:
        """Read the spelling of version 0.1."""
        return cls.MODELED if value == "modelled" else None


class Engine(StrEnum):
    """What ran the kernel."""

    GPU = "gpu"
    EMULATOR = "emulator"
    HOST = "host"
