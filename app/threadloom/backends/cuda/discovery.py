# SPDX-License-Identifier: MIT
"""The GPUs of this machine, with the limits that the driver states."""

from __future__ import annotations

from typing import Any

from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.cuda.library import driver
from threadloom.backends.cuda.nvml import link_gb_per_s
from threadloom.model.capability import capability
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.message import _
from threadloom.model.provenance import Provenance


def find_gpus() -> tuple[DeviceModel, ...]:
    """Every GPU that the driver names, in its order; empty if the engine is not here."""
    try:
        cuda = driver()
    except EngineUnavailableError:
        return ()
    return tuple(describe(cuda, index) for index in range(cuda.Device.count()))


def describe(cuda: Any, index: int) -> DeviceModel:
    """One GPU by the driver's number.

    The limits, clocks and memory are the driver's attributes. The number of single-precision
    units is not among them and follows from the compute capability. The link's rate is NVML's,
    0 without it.

    Raises:
        EngineUnavailableError: If the driver has no GPU of this number.
    """
    if not 0 <= index < cuda.Device.count():
        text = _("The driver finds {count} GPUs; GPU {index} does not exist.")
        raise EngineUnavailableError(text.format(count=cuda.Device.count(), index=index))
    device = cuda.Device(index)
    known = cuda.device_attribute

    def read(name: str) -> int:
        return int(device.get_attribute(getattr(known, name)))

    version = (read("COMPUTE_CAPABILITY_MAJOR"), read("COMPUTE_CAPABILITY_MINOR"))
    row = capability(version)
    registers = read("MAX_REGISTERS_PER_BLOCK")
    return DeviceModel(
        name=_short(device.name()),
        compute_capability=version,
        sm_count=read("MULTIPROCESSOR_COUNT"),
        max_threads_per_block=read("MAX_THREADS_PER_BLOCK"),
        max_block=Dim3(*(read(f"MAX_BLOCK_DIM_{axis}") for axis in "XYZ")),
        max_grid=Dim3(*(read(f"MAX_GRID_DIM_{axis}") for axis in "XYZ")),
        shared_per_block=read("MAX_SHARED_MEMORY_PER_BLOCK"),
        shared_per_block_optin=read("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"),
        shared_per_sm=read("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"),
        shared_reserved_per_block=read("RESERVED_SHARED_MEMORY_PER_BLOCK"),
        registers_per_block=registers,
        registers_per_sm=read("MAX_REGISTERS_PER_MULTIPROCESSOR"),
        max_registers_per_thread=row.max_registers_per_thread,
        max_threads_per_sm=read("MAX_THREADS_PER_MULTIPROCESSOR"),
        max_blocks_per_sm=read("MAX_BLOCKS_PER_MULTIPROCESSOR"),
        fp32_lanes_per_sm=row.fp32_lanes_per_sm,
        fp64_ratio=1.0 / max(read("SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO"), 1),
        clock_mhz=read("CLOCK_RATE") / 1e3,
        memory_bytes=int(device.total_memory()),
        memory_gb_per_s=_memory_rate(read("MEMORY_CLOCK_RATE"), read("GLOBAL_MEMORY_BUS_WIDTH")),
        l2_bytes=read("L2_CACHE_SIZE"),
        link_gb_per_s=link_gb_per_s(device.pci_bus_id()),
        provenance=Provenance.MEASURED,
        index=index,
        source=f"driver, CUDA {_version(cuda.get_driver_version())}",
    )


def _memory_rate(clock_khz: int, bus_bits: int) -> float:
    """Peak rate in 10⁹ bytes a second: two transfers a clock (CUDA Best Practices Guide, 8.2)."""
    return 2.0 * clock_khz * 1e3 * bus_bits / 8 / 1e9


def _short(name: str) -> str:
    return name.removeprefix("NVIDIA ").removeprefix("GeForce ")


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
