# SPDX-License-Identifier: MIT
"""The engines, made once and kept: opening a GPU or loading a compiler takes time."""

from __future__ import annotations

from threadloom.backends.base import Backend, EngineUnavailableError
from threadloom.model.device import DeviceModel
from threadloom.services.device_table import UnknownDeviceError, find
from threadloom.services.request import Job
from threadloom.services.resolve import JobError
from threadloom.text import _

ENGINES = ("auto", "gpu", "emulator")


class Engines:
    """Chooses the engine of a job. Belongs to one thread."""

    def __init__(self) -> None:
        self._gpus: tuple[DeviceModel, ...] | None = None
        self._opened: dict[int, Backend] = {}
        self._emulators: dict[DeviceModel, Backend] = {}

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
            JobError: If there is no such engine or no such device in the table.
            EngineUnavailableError: If a GPU is asked for and there is none.
        """
        if job.engine not in ENGINES:
            text = _("There is no engine {name}. There are {known}.")
            raise JobError(text.format(name=job.engine, known=", ".join(ENGINES)))
        if job.engine == "gpu" or (job.engine == "auto" and self.gpus):
            return self.gpu(job.device)
        return self.emulator(modelled_device(job.model))

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

    def emulator(self, device: DeviceModel) -> Backend:
        """The emulator, with launches held against the limits of a device."""
        if device not in self._emulators:
            from threadloom.backends.emulator import EmulatorBackend

            self._emulators[device] = EmulatorBackend(device)
        return self._emulators[device]

    def conditions(self, device: DeviceModel) -> dict[str, str]:
        """Driver, versions and clocks of a GPU that is here; empty for a modelled one."""
        if device.index is None:
            return {}
        from threadloom.backends.cuda import environment

        return environment(device.index)


def modelled_device(name: str) -> DeviceModel:
    """A device of the table.

    Raises:
        JobError: If there is none of this name.
    """
    try:
        return find(name)
    except UnknownDeviceError as error:
        raise JobError(str(error)) from error
