# SPDX-License-Identifier: MIT
"""Answers every request that a user can make."""

from __future__ import annotations

from threadloom.services.bench.launch_sweep import LaunchSweeper
from threadloom.services.bench.measure import Measurements
from threadloom.services.bench.sweep import Sweeper
from threadloom.services.devices.detected import look
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

    def answer(self, request: Request, context: Context) -> Result:
        """Do what is asked.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        limit_s = request.kernel_limit_s if isinstance(request, RunRequest) else 0.0
        self._engines.kernel_limit_s = limit_s
        match request:
            case RunRequest():
                return self._runner.run(request, context)
            case ResourcesRequest():
                return self._runner.complete(request, context)
            case SweepRequest():
                return self._sweeper.run(request, context)
            case LaunchSweepRequest():
                return self._launch_sweeper.run(request, context)
            case DevicesRequest():
                return look(self._engines)
