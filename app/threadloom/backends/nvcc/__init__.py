# SPDX-License-Identifier: MIT
"""NVIDIA's compiler: where it is, what it says, what it makes. Needs no GPU."""

from threadloom.backends.nvcc.assemble import Assembled, assemble, device_compiler
from threadloom.backends.nvcc.made import DeviceCompiler

__all__ = ["Assembled", "DeviceCompiler", "assemble", "device_compiler"]
