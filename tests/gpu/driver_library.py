# SPDX-License-Identifier: MIT
"""Calls of NVIDIA's driver that PyCUDA does not offer; used to check the engine independently."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

REGISTERS, STATIC_SHARED, MAX_THREADS, MAX_DYNAMIC = 4, 1, 0, 8
"""``CUfunction_attribute`` numbers (CUDA driver API)."""


class DriverLibrary:
    """The driver's library through ctypes; every failure is an error."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)

    def __call__(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver.

        Raises:
            OSError: If it does not succeed; the driver's number is in the text.
        """
        status = getattr(self._cuda, name)(*arguments)
        if status:
            raise OSError(f"{name} failed with {status}")

    @contextlib.contextmanager
    def primary_context(self, index: int = 0) -> Iterator[None]:
        """Make the device's primary context current for the block."""
        context, old = ctypes.c_void_p(), ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), index)
        self("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            self("cuCtxPopCurrent_v2", ctypes.byref(old))

    def function(self, cubin: bytes, symbol: str) -> ctypes.c_void_p:
        """Load a kernel."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), cubin)
        self("cuModuleGetFunction", ctypes.byref(function), module, symbol.encode())
        return function

    def attribute(self, function: ctypes.c_void_p, number: int) -> int:
        """Read an attribute of a kernel."""
        value = ctypes.c_int()
        self("cuFuncGetAttribute", ctypes.byref(value), number, function)
        return value.value

    def blocks_per_sm(self, function: ctypes.c_void_p, threads: int, dynamic: int) -> int:
        """The driver's own occupancy."""
        blocks = ctypes.c_int()
        name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        self(name, ctypes.byref(blocks), function, threads, ctypes.c_size_t(dynamic))
        return blocks.value
