# SPDX-License-Identifier: MIT
"""Check any kernel with its launch, described in a JSON file beside its source."""

from threadloom.model.case import Case, CaseArgument
from threadloom.services.doctor.cases.case import CaseError, read_case
from threadloom.services.doctor.cases.check import check_case
from threadloom.services.messages.check import CheckRequest, CheckResult

__all__ = [
    "Case",
    "CaseArgument",
    "CaseError",
    "CheckRequest",
    "CheckResult",
    "check_case",
    "read_case",
]
