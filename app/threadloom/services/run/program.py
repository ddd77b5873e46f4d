# SPDX-License-Identifier: MIT
"""The program to compile for a job."""

from __future__ import annotations

from threadloom.model.program import Program
from threadloom.services.run.resolve import Resolved


def program_of(resolved: Resolved) -> Program:
    """Source and kernel of a job."""
    return Program(resolved.source, _entry(resolved), filename=resolved.variant.file)


def _entry(resolved: Resolved) -> str:
    """Kernel to launch: of an edited source the variant's own, else the first one."""
    if resolved.entry is not None:
        return resolved.entry
    from threadloom.backends.source import parse

    names = [kernel.name for kernel in parse(resolved.source).kernels]
    own = resolved.variant.entry
    return own if own in names or not names else names[0]
