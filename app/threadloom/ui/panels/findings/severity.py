# SPDX-License-Identifier: MIT
"""How each severity is drawn: icon and tone, so that it reads without color, too."""

from __future__ import annotations

from threadloom.model.severity import Severity
from threadloom.text import _

ICONS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
    Severity.PASSED: "passed",
}
TONES = {
    Severity.ERROR: "error",
    Severity.WARNING: "warn",
    Severity.NOTE: "info",
    Severity.PASSED: "ok",
}


def severity_word(severity: Severity) -> str:
    """The word for a severity, for screen readers."""
    return {
        Severity.ERROR: _("Error"),
        Severity.WARNING: _("Warning"),
        Severity.NOTE: _("Note"),
        Severity.PASSED: _("Passed"),
    }[severity]
