# SPDX-License-Identifier: MIT
"""NumPy's types for the types of variables that a source declares."""

from __future__ import annotations

from collections.abc import Mapping

ELEMENT_TYPES: Mapping[str, str] = {
    "float": "f4",
    "double": "f8",
    "int": "i4",
    "unsigned int": "u4",
    "unsigned": "u4",
    "long long": "i8",
    "unsigned long long": "u8",
    "char": "i1",
    "unsigned char": "u1",
    "short": "i2",
    "unsigned short": "u2",
    "half": "f2",
}
"""By the name in CUDA C."""
