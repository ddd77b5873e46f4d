# SPDX-License-Identifier: MIT
"""What only NVIDIA's management library reports: link, clocks, temperature, throttling.

The library is optional. Where it or one of its figures is missing, the figure is left out.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from threadloom.model.timing.gpu_state import GpuState

LANE_GB_PER_S = {1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938, 6: 7.563}
"""Rate of one PCI Express lane in one direction by generation, line coding taken off."""


@contextlib.contextmanager
def _library() -> Iterator[Any | None]:
    """The library, started; None if it is not here."""
    nvml = _started()
    if nvml is None:
        yield None
        return
    try:
        yield nvml
    finally:
        nvml.nvmlShutdown()


def _started() -> Any | None:
    try:
        nvml = importlib.import_module("pynvml")
        nvml.nvmlInit()
    except ImportError:
        return None
    except Exception as error:
        if type(error).__name__.startswith("NVMLError"):
            return None
        raise
    return nvml


def gpu_state_reader(pci_bus_id: str) -> Callable[[], GpuState] | None:
    """A function that reads a GPU's state in well under a millisecond; None without the library.

    The library stays started as long as the program runs: starting it takes longer than many a
    measurement.
    """
    nvml = _started()
    if nvml is None:
        return None
    handle = _handle(nvml, pci_bus_id)

    def read() -> GpuState:
        sensor = nvml.NVML_TEMPERATURE_GPU
        return GpuState(
            sm_clock_mhz=_ask(nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM),
            memory_clock_mhz=_ask(nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_MEM),
            temperature_c=_ask(nvml, nvml.nvmlDeviceGetTemperature, handle, sensor),
            throttling=_reasons(nvml, handle) or (),
        )

    return read


def link_gb_per_s(pci_bus_id: str) -> float:
    """Rate of a GPU's link to the host in one direction, in 10⁹ bytes a second; 0 if unknown."""
    with _library() as nvml:
        if nvml is None:
            return 0.0
        handle = _handle(nvml, pci_bus_id)
        generation = _ask(nvml, nvml.nvmlDeviceGetMaxPcieLinkGeneration, handle)
        width = _ask(nvml, nvml.nvmlDeviceGetMaxPcieLinkWidth, handle)
    return LANE_GB_PER_S.get(generation or 0, 0.0) * (width or 0)


def current_state(pci_bus_id: str) -> dict[str, str]:
    """Driver version, clocks, temperature, power and throttling of a GPU at this moment."""
    with _library() as nvml:
        if nvml is None:
            return {}
        handle = _handle(nvml, pci_bus_id)
        found = {
            "driver": _ask(nvml, nvml.nvmlSystemGetDriverVersion),
            "sm_clock_mhz": _ask(nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM),
            "memory_clock_mhz": _ask(
                nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_MEM
            ),
            "temperature_c": _ask(
                nvml, nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU
            ),
            "power_mw": _ask(nvml, nvml.nvmlDeviceGetPowerUsage, handle),
            "throttling": _throttling(nvml, handle),
        }
    return {key: str(value) for key, value in found.items() if value is not None}


THROTTLE_REASONS = {
    0x04: "power cap",
    0x08: "hardware slowdown",
    0x20: "thermal (software)",
    0x40: "thermal (hardware)",
    0x80: "power brake",
}
"""Bits of NVML's clocks-event reasons that mean a slower GPU (NVML API reference)."""


def _throttling(nvml: Any, handle: Any) -> str | None:
    reasons = _reasons(nvml, handle)
    return None if reasons is None else ", ".join(reasons) or "none"


def _reasons(nvml: Any, handle: Any) -> tuple[str, ...] | None:
    bits = _ask(nvml, nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
    if bits is None:
        return None
    return tuple(name for bit, name in THROTTLE_REASONS.items() if bits & bit)


def _handle(nvml: Any, pci_bus_id: str) -> Any:
    return nvml.nvmlDeviceGetHandleByPciBusId(pci_bus_id.encode())


def _ask(nvml: Any, function: Callable[..., Any], *arguments: Any) -> Any | None:
    try:
        return function(*arguments)
    except nvml.NVMLError:
        return None
