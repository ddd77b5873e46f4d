# SPDX-License-Identifier: MIT
"""Answers every request that a person can make."""

from __future__ import annotations

from threadloom.services.assembly import Assembly
from threadloom.services.devices import look
from threadloom.services.engines import Engines
from threadloom.services.launch_sweep import LaunchSweeper
from threadloom.services.measure import Measurements
from threadloom.services.prepared import PreparedProblems
from threadloom.services.request import (
    DevicesRequest,
    LaunchSweepRequest,
    Request,
    ResourcesRequest,
    Result,
    RunRequest,
    SweepRequest,
)
from threadloom.services.run import Runner
from threadloom.services.sweep import Sweeper
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
