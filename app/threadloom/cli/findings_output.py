# SPDX-License-Identifier: MIT
"""Findings on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from threadloom.model.finding import Finding
from threadloom.model.severity import Severity
from threadloom.text import _, count, ngettext

MOST_PRINTED = 20
"""Lines of device code that are shown."""

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
        console.print(Text.assemble((f"{mark} ", style), str(finding.message)))
        if finding.detail:
            console.print(Text(f"  {finding.detail}", "dim"))
        for fix in finding.fixes:
            console.print(Text("  → " + _("Fix: {title}").format(title=fix.title), "blue"))


def print_device_output(console: Console, lines: Sequence[str]) -> None:
    """What device code wrote with ``printf``, each line with its thread."""
    for line in lines[:MOST_PRINTED]:
        console.print(Text(line))
    if more := len(lines) - MOST_PRINTED if len(lines) > MOST_PRINTED else 0:
        text = ngettext(
            "{more} more line was printed; use --json for all output.",
            "{more} more lines were printed; use --json for all output.",
            more,
        )
        console.print(Text(text.format(more=count(more)), "dim"))
