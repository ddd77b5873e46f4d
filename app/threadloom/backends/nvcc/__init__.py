# SPDX-License-Identifier: MIT
"""NVIDIA's compiler: where it is, what it says, what it makes. Needs no GPU."""

from threadloom.backends.nvcc.compile_output import CannotCompileError, DeviceCompiler, place_of
from threadloom.backends.nvcc.device_compile import Assembled, assemble, device_compiler
from threadloom.backends.nvcc.driver import find_driver
from threadloom.backends.nvcc.nvrtc import find_nvrtc

__all__ = [
    "Assembled",
    "CannotCompileError",
    "DeviceCompiler",
    "assemble",
    "device_compiler",
    "find_driver",
    "find_nvrtc",
    "place_of",
]
