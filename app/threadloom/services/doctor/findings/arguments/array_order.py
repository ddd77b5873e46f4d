# SPDX-License-Identifier: MIT
"""Arrays whose elements lie column by column, for a kernel that counts row by row."""

from collections.abc import Iterable

import numpy as np

from threadloom.model.finding import Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Look for arrays in Fortran's order, or with gaps: they are passed as they lie."""
    for name, array in context.known.arguments.items():
        if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
            yield _harmless(name) if name in context.known.harmless_layouts else _finding(name)


def _finding(name: str) -> Finding:
    return Finding(
        kind="array-order",
        severity=Severity.ERROR,
        message=_(
            "Memory order: {array} is Fortran-ordered, but the kernel indexes it in C order"
        ).format(array=name),
        detail=_("Pass `np.ascontiguousarray({array})`.").format(array=name),
        where=Where(array=name),
        verdict=Verdict.WRONG_RESULT,
    )


def _harmless(name: str) -> Finding:
    return Finding(
        kind="array-order",
        severity=Severity.NOTE,
        message=_("Memory order: {array} is Fortran-ordered, as this kernel expects").format(
            array=name
        ),
        where=Where(array=name),
    )
