# SPDX-License-Identifier: MIT
"""Results that stay on the device."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Name the arrays that are written and not copied back, where nothing else is."""
    for name in context.known.not_returned:
        yield Finding(
            kind="not-returned",
            severity=Severity.ERROR,
            message=_(
                "Missing D2H copy: the kernel writes {array}, but it is not copied back"
            ).format(array=name),
            detail=_("Pass `cuda.InOut({array})` instead of `cuda.In({array})`.").format(
                array=name
            ),
            where=Where(array=name),
            verdict=Verdict.WRONG_RESULT,
        )
