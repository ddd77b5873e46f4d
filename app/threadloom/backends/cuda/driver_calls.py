# SPDX-License-Identifier: MIT
"""The driver's functions for graphs, which PyCUDA does not offer."""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

CAPTURE_RELAXED = 2
"""``CU_STREAM_CAPTURE_MODE_RELAXED`` (CUDA driver API)."""


class DriverCallError(Exception):
    """A function of the driver did not succeed; the text is in PyCUDA's manner."""


class DriverCalls:
    """NVIDIA's driver library through ctypes."""

    def __init__(self, library: Any) -> None:
        self._library = library

    @classmethod
    @functools.cache
    def of_this_machine(cls) -> DriverCalls:
        """The library that PyCUDA uses, too.

        Raises:
            OSError: If it cannot be loaded.
        """
        name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
        return cls(ctypes.CDLL(name))

    def __call__(self, name: str, *arguments: Any) -> None:
        """Call a function.

        Raises:
            DriverCallError: If it does not succeed, with the driver's name for the reason.
        """
        status = getattr(self._library, name)(*arguments)
        if status:
            raise DriverCallError(f"{name} failed: {self._reason(status)}")

    def _reason(self, status: int) -> str:
        word = ctypes.c_char_p()
        self._library.cuGetErrorName(status, ctypes.byref(word))
        return word.value.decode() if word.value else str(status)
