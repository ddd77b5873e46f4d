# SPDX-License-Identifier: MIT
"""The chosen source, and what the parser reads in it; kept while the text stays the same."""

from __future__ import annotations

from functools import lru_cache

from threadloom.backends.source import parse
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Signature
from threadloom.services.storage.workspace import Workspace
from threadloom_kernels import UnknownTypeError, read_source


def chosen_source(workspace: Workspace, operation: Operation, variant: Variant) -> str:
    """The edited source, else the variant's own for the chosen element type."""
    if workspace.source is not None:
        return workspace.source
    try:
        return read_source(operation, variant, workspace.dtype)
    except UnknownTypeError:
        return read_source(operation, variant, operation.dtypes[0])


def chosen_kernel(workspace: Workspace, variant: Variant, source: str) -> Signature | None:
    """The kernel that would be launched: the one asked for, the variant's own, or the first one."""
    kernels = kernels_of(source)
    for name in (workspace.entry, variant.entry):
        for kernel in kernels:
            if kernel.name == name:
                return kernel
    return kernels[0] if kernels else None


def kernel_named(source: str, name: str) -> Signature | None:
    """The kernel with this name; None if the source has none."""
    return next((kernel for kernel in kernels_of(source) if kernel.name == name), None)


@lru_cache(maxsize=32)
def kernels_of(source: str) -> tuple[Signature, ...]:
    """Every kernel of a source, in its order."""
    return parse(source).kernels
