# SPDX-License-Identifier: MIT
"""The engines, made once and kept: opening a GPU or loading a compiler takes time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from threadloom.backends.base import Backend, Compiled, EngineUnavailableError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.device import DeviceModel
from threadloom.model.job import EngineChoice, Job
from threadloom.model.program import Program
from threadloom.services.run.resolve import modeled_device
from threadloom.worker.protocol import Context

COMPILE_LIMIT_S = 300.0
"""The first time ever, the emulator itself is compiled."""
MOST_COMPILED = 32
"""Kernels that are kept ready to run."""


class Engines:
    """Chooses the engine of a job. Belongs to one thread."""

    def __init__(self) -> None:
        self._gpus: tuple[DeviceModel, ...] | None = None
        self._opened: dict[int, Backend] = {}
        self._emulators: dict[DeviceModel, EmulatorBackend] = {}
        self._compiled: OrderedDict[tuple[int, Program], Compiled] = OrderedDict()
        self.kernel_limit_s = 0.0
        """Emulated launches that take longer are stopped; 0 for never."""

    @property
    def gpus(self) -> tuple[DeviceModel, ...]:
        """GPUs that are here; looked for once."""
        if self._gpus is None:
            from threadloom.backends.cuda import find_gpus

            self._gpus = find_gpus()
        return self._gpus

    def choose(self, job: Job) -> Backend:
        """The engine that a job asks for; ``auto`` is a GPU if there is one.

        Raises:
            JobError: If there is no such device in the table.
            EngineUnavailableError: If a GPU is asked for and there is none.
        """
        if job.engine == EngineChoice.GPU or (job.engine == EngineChoice.AUTO and self.gpus):
            return self.gpu(job.device)
        return self.emulator(modeled_device(job.model))

    def gpu(self, index: int) -> Backend:
        """The GPU of this number.

        Raises:
            EngineUnavailableError: If there is none; the text says why.
        """
        if index not in self._opened:
            from threadloom.backends.cuda import CudaBackend, why_not

            if not self.gpus:
                raise EngineUnavailableError(why_not())
            self._opened[index] = CudaBackend(index)
        return self._opened[index]

    def emulator(self, device: DeviceModel) -> EmulatorBackend:
        """The emulator, with launches held against the limits of a device."""
        if device not in self._emulators:
            self._emulators[device] = EmulatorBackend(device)
        emulator = self._emulators[device]
        emulator.limit_s = self.kernel_limit_s
        return emulator

    def compile(self, backend: Backend, program: Program, context: Context) -> Compiled:
        """Compile, or give the kernel that was compiled before in this process.

        Compiling has a limit of its own: the request's is meant for the kernel.

        Raises:
            CompileError: With the user's lines.
            EngineUnavailableError: If there is no compiler.
        """
        key = (id(backend), program)
        if key in self._compiled:
            self._compiled.move_to_end(key)
            return replace(self._compiled[key], compile_s=0.0, from_cache=True)
        context.extend_deadline(COMPILE_LIMIT_S)
        try:
            compiled = self._compiled[key] = backend.compile(program)
        finally:
            context.extend_deadline()
        if len(self._compiled) > MOST_COMPILED:
            self._compiled.popitem(last=False)
        return compiled

    def conditions(self, device: DeviceModel) -> dict[str, str]:
        """Driver, versions and clocks of a GPU that is here; empty for a modeled one."""
        if device.index is None:
            return {}
        from threadloom.backends.cuda import environment

        return environment(device.index)
