# SPDX-License-Identifier: MIT
"""Answers every request that a user can make."""

from __future__ import annotations

from threadloom.services.bench.launch_sweep import LaunchSweeper
from threadloom.services.bench.measure import Measurements
from threadloom.services.bench.sweep import Sweeper
from threadloom.services.devices.detected import look
from threadloom.services.doctor.cases.checker import Checker
from threadloom.services.messages.check import CheckRequest
from threadloom.services.messages.devices import DevicesRequest
from threadloom.services.messages.launch_sweep import LaunchSweepRequest
from threadloom.services.messages.message import Request, Result
from threadloom.services.messages.run import ResourcesRequest, RunRequest
from threadloom.services.messages.sweep import SweepRequest
from threadloom.services.run.cached_inputs import PreparedProblems
from threadloom.services.run.device_compile import Assembly
from threadloom.services.run.engines import Engines
from threadloom.services.run.runner import Runner
from threadloom.worker.protocol import Context


class Executor:
    """Answers requests; what is costly to make is kept for the next one."""

    def __init__(self) -> None:
        self._engines = Engines()
        assembly = Assembly()
        self._runner = Runner(self._engines, PreparedProblems(), Measurements(), assembly)
        self._sweeper = Sweeper(self._engines, assembly)
        self._launch_sweeper = LaunchSweeper(self._engines)
        self._checker = Checker(self._engines, assembly)

    def answer(self, request: Request, context: Context) -> Result:
        """Do what is asked.

        Raises:
            JobError: If the job means nothing.
            CaseError: If the case means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        limited = request if isinstance(request, RunRequest | CheckRequest) else None
        self._engines.kernel_limit_s = limited.kernel_limit_s if limited else 0.0
        match request:
            case RunRequest():
                return self._runner.run(request, context)
            case CheckRequest():
                return self._checker.check(request, context)
            case ResourcesRequest():
                return self._runner.complete(request, context)
            case SweepRequest():
                return self._sweeper.run(request, context)
            case LaunchSweepRequest():
                return self._launch_sweeper.run(request, context)
            case DevicesRequest():
                return look(self._engines)
