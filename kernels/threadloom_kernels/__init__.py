# SPDX-License-Identifier: MIT
"""The operations that ship with Threadloom, one folder each, and how to find and use them.

A folder is an operation if its ``__init__.py`` defines ``OPERATION``. A user's own folder of such
folders is searched the same way at run time.
"""

from threadloom_kernels.arguments import (
    MAX_ELEMENTS,
    SizeError,
    check_sizes,
    make_arguments,
    memory_bytes,
)
from threadloom_kernels.discovery import Found, OperationError, discover, find
from threadloom_kernels.rules import default_launch
from threadloom_kernels.source import UnknownTypeError, read_loop, read_source, with_type

__all__ = [
    "MAX_ELEMENTS",
    "Found",
    "OperationError",
    "SizeError",
    "UnknownTypeError",
    "check_sizes",
    "default_launch",
    "discover",
    "find",
    "make_arguments",
    "memory_bytes",
    "read_loop",
    "read_source",
    "with_type",
]
