# SPDX-License-Identifier: MIT
"""The emulator behind the protocol that all engines share."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from threadloom.backends.base import (
    Compiled,
    EngineUnavailableError,
    Observed,
    Outputs,
    TransferTimes,
)
from threadloom.backends.emulator.compile.program import compile_program
from threadloom.backends.emulator.observed_run import observe
from threadloom.backends.emulator.runtime.loader import Loader, process_loader
from threadloom.backends.emulator.uninstrumented_run import run_uninstrumented
from threadloom.model.array import Values
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.program import Program
from threadloom.model.provenance import Engine
from threadloom.model.timing.samples import StoppingCriterion


@dataclass(slots=True, eq=False)
class EmulatorBackend:
    """Runs kernels on this machine's processor, within the limits of a modeled device.

    A kernel that never ends is stopped after `limit_s`, else by the owner of the process.
    """

    device: DeviceModel
    workers: int = 0
    """Cores to use; all that the process may use if 0."""
    engine: Engine = Engine.EMULATOR
    limit_s: float = 0.0
    """Processor time after which a launch is stopped and the line where it spins is named.

    It is divided by the cores that share the work; 0 for never. A launch that waits without
    computing is stopped after six times as much wall-clock time.
    """
    _loader: Loader = field(default_factory=process_loader, repr=False)

    def compile(self, program: Program) -> Compiled:
        """Compile, or take from the cache.

        Raises:
            CompileError: With the user's lines.
            EngineUnavailableError: If there is no compiler and the cache lacks the kernel.
        """
        return compile_program(program, self.device)

    def run(self, compiled: Compiled, launch: Launch, arguments: Values) -> Outputs:
        """Launch once, uninstrumented.

        Raises:
            LaunchError: If the launch cannot be made, or the kernel fails.
        """
        return run_uninstrumented(
            self._loader, compiled, launch, arguments, self._cores(), self.limit_s
        )

    def trace(
        self,
        compiled: Compiled,
        launch: Launch,
        arguments: Values,
        block: Dim3 | None = None,
        outputs: tuple[str, ...] = (),
        undefined: tuple[str, ...] = (),
        only_block: bool = False,
    ) -> Observed:
        """Launch once and see every access; with ``block``, keep those of that block.

        With ``only_block`` no other block runs: where the rest is known already, this is quick
        whatever the grid, and coverage, counters and outputs are those of the block.
        Elements of the arrays named in ``undefined`` have no value until the kernel writes them.

        Raises:
            LaunchError: If the launch cannot be made.
        """
        cores = self._cores()
        return observe(
            self._loader,
            compiled,
            launch,
            arguments,
            cores,
            block,
            outputs,
            undefined,
            self.limit_s,
            only_block,
        )

    def time(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StoppingCriterion
    ) -> TransferTimes:
        """Not available: the emulator's times say nothing about a GPU.

        Raises:
            EngineUnavailableError: Always.
        """
        raise EngineUnavailableError(
            _("The emulator does not time kernels: its times say nothing about a GPU.")
        )

    def _cores(self) -> int:
        if self.workers:
            return self.workers
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
