# SPDX-License-Identifier: MIT
"""The compiler that comes with the program, and the libraries it has made so far."""

from threadloom.backends.toolchain.build import (
    Built,
    ToolchainError,
    build_shared,
    compile_shared,
)
from threadloom.backends.toolchain.cache import LibraryCache, default_cache

__all__ = [
    "Built",
    "LibraryCache",
    "ToolchainError",
    "build_shared",
    "compile_shared",
    "default_cache",
]
