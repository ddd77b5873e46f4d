# SPDX-License-Identifier: MIT
"""Limits and speeds of a GPU, read from a driver or from the device table."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.dim3 import Dim3
from threadloom.model.provenance import Provenance


@dataclass(frozen=True, slots=True)
class DeviceModel:
    """One GPU model. Limits of a compute capability are those of the CUDA C++ Programming Guide."""

    name: str
    """Short name, such as ``RTX 4090``."""
    compute_capability: tuple[int, int]
    """Major and minor, such as ``(8, 9)``."""
    sm_count: int
    max_threads_per_block: int
    max_block: Dim3
    max_grid: Dim3
    shared_per_block: int
    """Shared memory that a block may use without asking, in bytes."""
    shared_per_block_optin: int
    """Shared memory that a block may use after setting the function's attribute, in bytes."""
    shared_per_sm: int
    """In bytes."""
    shared_reserved_per_block: int
    """Shared memory that the system takes of each block, in bytes."""
    registers_per_block: int
    registers_per_sm: int
    max_registers_per_thread: int
    max_threads_per_sm: int
    max_blocks_per_sm: int
    fp32_lanes_per_sm: int
    """Single-precision units of one SM; each does one multiply-add a clock."""
    fp64_ratio: float
    """Double-precision rate as a share of the single-precision rate."""
    clock_mhz: float
    """Boost clock of the SMs, in MHz."""
    memory_bytes: int
    memory_gb_per_s: float
    """Peak rate of the device's memory, in 10⁹ bytes a second."""
    l2_bytes: int
    link_gb_per_s: float
    """Rate of the link to the host in one direction, in 10⁹ bytes a second."""
    provenance: Provenance = Provenance.MODELED
    """Whether a driver said this of a GPU that is here, or the table of one that is not."""
    index: int | None = None
    """The driver's number of the GPU, if one is here."""
    source: str = ""
    """Where the figures come from: a data sheet's name, or the driver's version."""

    @property
    def architecture(self) -> str:
        """Name that nvcc's ``-arch`` takes, such as ``sm_89``."""
        major, minor = self.compute_capability
        return f"sm_{major}{minor}"

    @property
    def max_warps_per_sm(self) -> int:
        """Warps that an SM can hold."""
        return self.max_threads_per_sm // 32

    def peak_flops(self, dtype: str) -> float:
        """Peak floating-point operations a second for ``float32`` or ``float64``."""
        single = 2.0 * self.sm_count * self.fp32_lanes_per_sm * self.clock_mhz * 1e6
        return single * (self.fp64_ratio if dtype == "float64" else 1.0)
