# SPDX-License-Identifier: MIT
"""A kernel as it is declared."""

from __future__ import annotations

from threadloom.model.program import Signature


def signature_words(signature: Signature) -> str:
    """A kernel as it is declared, such as ``vec_add(const float *a, int n)``."""
    parts = []
    for parameter in signature.parameters:
        const = "const " if parameter.const and parameter.pointer else ""
        star = "*" if parameter.pointer else ""
        parts.append(f"{const}{parameter.type} {star}{parameter.name}")
    return f"{signature.name}({', '.join(parts)})"
