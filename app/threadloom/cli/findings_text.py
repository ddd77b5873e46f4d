# SPDX-License-Identifier: MIT
"""Findings on a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from threadloom.model.finding import Finding
from threadloom.model.program import Severity
from threadloom.text import _

_MARKS = {
    Severity.ERROR: ("✗", "bold red"),
    Severity.WARNING: ("!", "bold yellow"),
    Severity.NOTE: ("·", "cyan"),
    Severity.PASSED: ("✓", "green"),
}


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    """One line each, with its explanation and its fixes below."""
    for finding in findings:
        mark, style = _MARKS[finding.severity]
        console.print(Text.assemble((f"{mark} ", style), finding.message))
        if finding.detail:
            console.print(Text(f"  {finding.detail}", "dim"))
        for fix in finding.fixes:
            console.print(Text(f"  → {_('Fix')}: {fix.title}", "blue"))
