# SPDX-License-Identifier: MIT
"""What is wrong in which line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from threadloom.model.finding import Finding, Fix
from threadloom.model.program import Diagnostic
from threadloom.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem at one line."""

    line: int
    column: int | None
    severity: Severity
    message: str
    detail: str = ""
    raw: str = ""
    """The compiler's own words."""
    fix: Fix | None = None


def problems(findings: Sequence[Finding], diagnostics: Sequence[Diagnostic]) -> tuple[Problem, ...]:
    """Errors and warnings that have a line, worst first in each line; what says the same once.

    A finding knows the mend, a diagnostic the compiler's words: where both speak of a line they
    are joined.
    """
    words = {one.line: one for one in reversed(diagnostics) if one.line is not None}
    found = [
        Problem(
            line=one.where.line,
            column=one.where.column
            or (words[one.where.line].column if one.where.line in words else None),
            severity=one.severity,
            message=str(one.message),
            detail=str(one.detail),
            raw=words[one.where.line].raw if one.where.line in words else "",
            fix=one.fixes[0] if one.fixes else None,
        )
        for one in findings
        if one.where.line is not None and one.severity in _SHOWN
    ]
    told = {(one.line, one.severity) for one in found}
    found += [
        Problem(one.line, one.column, one.severity, str(one.message), raw=one.raw)
        for one in diagnostics
        if one.line is not None and one.severity in _SHOWN and (one.line, one.severity) not in told
    ]
    return tuple(sorted(found, key=lambda one: (one.line, _SHOWN.index(one.severity))))


_SHOWN = (Severity.ERROR, Severity.WARNING)
