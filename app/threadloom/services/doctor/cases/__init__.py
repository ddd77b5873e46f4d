# SPDX-License-Identifier: MIT
"""Check any kernel with its launch, described in a JSON file beside its source."""

from threadloom.services.doctor.cases.case import Case, CaseArgument, CaseError, read_case
from threadloom.services.doctor.cases.check import CheckRequest, CheckResult, check_case, handle

__all__ = [
    "Case",
    "CaseArgument",
    "CaseError",
    "CheckRequest",
    "CheckResult",
    "check_case",
    "handle",
    "read_case",
]
