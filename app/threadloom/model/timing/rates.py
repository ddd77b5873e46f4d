# SPDX-License-Identifier: MIT
"""Bytes and operations over time, held against what the device can do at most."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.device import DeviceModel


@dataclass(frozen=True, slots=True)
class Rates:
    """What a kernel reaches. Bytes are the least that the problem needs, not those that moved."""

    gb_per_s: float
    """10⁹ bytes a second."""
    gflop_per_s: float
    """10⁹ floating-point operations a second."""
    memory_share: float | None
    """Share of the device's peak memory rate; None where that is not known."""
    compute_share: float | None
    """Share of the device's peak arithmetic rate; None where that is not known."""
    fits_l2: bool
    """Whether the bytes fit the L2 cache: a warm kernel then need not touch the memory."""

    @property
    def above_peak(self) -> bool:
        """Whether a rate is above what the device can do: the caches, or the count, are at work."""
        return any(
            share is not None and share > 1.0 for share in (self.memory_share, self.compute_share)
        )


def rates(
    device: DeviceModel, bytes_moved: float, flops: float, dtype: str, seconds: float
) -> Rates:
    """Rates of a kernel that takes so many seconds."""
    memory, compute = device.memory_gb_per_s * 1e9, device.peak_flops(dtype)
    return Rates(
        gb_per_s=bytes_moved / seconds / 1e9,
        gflop_per_s=flops / seconds / 1e9,
        memory_share=bytes_moved / seconds / memory if memory else None,
        compute_share=flops / seconds / compute if compute else None,
        fits_l2=bytes_moved <= device.l2_bytes,
    )
