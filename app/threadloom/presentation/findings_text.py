# SPDX-License-Identifier: MIT
"""How findings are marked and summed up, so that they read without color, too."""

from __future__ import annotations

from collections.abc import Sequence

from threadloom.model.finding import Finding
from threadloom.model.severity import Severity
from threadloom.presentation.tone import Tone
from threadloom.text import _, count, ngettext


def summary(findings: Sequence[Finding]) -> tuple[str, str]:
    """Text and kind of the chip; an empty text if there is nothing to say."""
    stops = sum(finding.stops_launch for finding in findings)
    if stops:
        text = ngettext("{n} stops the launch", "{n} stop the launch", stops)
        return text.format(n=count(stops)), "error"
    errors = _number(findings, Severity.ERROR)
    if errors:
        text = ngettext("{n} error", "{n} errors", errors)
        return text.format(n=count(errors)), "error"
    warnings = _number(findings, Severity.WARNING)
    if warnings:
        text = ngettext("{n} warning", "{n} warnings", warnings)
        return text.format(n=count(warnings)), "warn"
    notes = _number(findings, Severity.NOTE)
    if notes:
        text = ngettext("{n} suggestion", "{n} suggestions", notes)
        return text.format(n=count(notes)), "info"
    return (_("all passed"), "ok") if findings else ("", "neutral")


def _number(findings: Sequence[Finding], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)


ICONS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
    Severity.PASSED: "passed",
}


TONES = {
    Severity.ERROR: Tone.ERROR,
    Severity.WARNING: Tone.WARNING,
    Severity.NOTE: Tone.INFO,
    Severity.PASSED: Tone.OK,
}


def severity_word(severity: Severity) -> str:
    """The word for a severity, for screen readers."""
    return {
        Severity.ERROR: _("Error"),
        Severity.WARNING: _("Warning"),
        Severity.NOTE: _("Note"),
        Severity.PASSED: _("Passed"),
    }[severity]
