# SPDX-License-Identifier: MIT
"""Have a case checked in a child process."""

from __future__ import annotations

from pathlib import Path

from threadloom.model.case import Case
from threadloom.services.client import ask
from threadloom.services.devices.device_table import find
from threadloom.services.doctor.cases.case import CaseError, read_case
from threadloom.services.messages.check import CheckRequest, CheckResult
from threadloom.worker.outcome import RequestFailedError

DEVICE = "H200"
"""Device of the table whose limits a case is held against unless another is named."""
_LAUNCHES = 3
"""Launches of the longest kernel that the time limit allows for: two observations, and the rest."""


def check_case(
    case: Path | Case,
    device: str = DEVICE,
    max_time_s: float = 60.0,
    limit_s: float | None = None,
) -> CheckResult:
    """Check a case, or the one of a file or folder, in a child process.

    A kernel that crashes its process or never ends is a finding of the result. A launch is stopped
    after ``limit_s``, by default a part of ``max_time_s`` that leaves time to say where it spins.
    Both count processor time.

    Raises:
        CaseError: If the case cannot be read.
        UnknownDeviceError: If the table has no such device.
        RequestFailedError: If there is no result for a reason outside the kernel.
    """
    read = case if isinstance(case, Case) else read_case(case)
    limit_s = max_time_s / _LAUNCHES if limit_s is None else limit_s
    request = CheckRequest(read, find(device), limit_s)
    try:
        result = ask(request, max_time_s)
    except RequestFailedError as error:
        if isinstance(error.outcome.error, CaseError):
            raise error.outcome.error from error
        raise
    assert isinstance(result, CheckResult)  # noqa: S101 - the answer to this request
    return result
