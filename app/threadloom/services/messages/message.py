# SPDX-License-Identifier: MIT
"""Every request that the worker takes, and every answer that it gives."""

from __future__ import annotations

from threadloom.model.run import Run
from threadloom.services.messages.check import CheckRequest, CheckResult
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.launch_sweep import (
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.run import ResourcesRequest, RunProgress, RunRequest
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult

Request = (
    RunRequest
    | ResourcesRequest
    | CheckRequest
    | SweepRequest
    | LaunchSweepRequest
    | DevicesRequest
)


Progress = RunProgress | Run | SweepProgress | LaunchSweepProgress


Result = Run | CheckResult | SweepResult | LaunchSweepResult | DevicesResult
