# SPDX-License-Identifier: MIT
"""How bad a finding or diagnostic is."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding or diagnostic is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    PASSED = "passed"
