# SPDX-License-Identifier: MIT
"""The GPU's context: current only while it is used, and the driver's errors put into words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from threadloom.backends.base import LaunchError
from threadloom.backends.cuda.driver_calls import DriverCallError
from threadloom.backends.cuda.library import Driver
from threadloom.model.message import _


class GpuContext:
    """The primary context of one GPU.

    A context that is still current when the program ends makes PyCUDA abort the process. So it is
    put on the driver's stack for the length of each use only.
    """

    def __init__(self, cuda: Driver, index: int) -> None:
        self.cuda = cuda
        self._context: Any = cuda.Device(index).retain_primary_context()

    @contextlib.contextmanager
    def current(self) -> Iterator[Driver]:
        """Make it the calling thread's context for the length of the block.

        Raises:
            LaunchError: For every error of the driver within the block, in the driver's words.
        """
        self._enter()
        try:
            yield self.cuda
        except self.cuda.MemoryError as error:
            text = _("Out of GPU memory: {text}")
            raise LaunchError(text.format(text=error)) from error
        except (self.cuda.Error, DriverCallError, OverflowError) as error:
            raise self._failed(error) from error
        finally:
            with contextlib.suppress(self.cuda.Error):  # a lost context repeats its error here
                self.cuda.Context.pop()

    def _enter(self) -> None:
        try:
            self._context.push()
        except self.cuda.Error as error:
            text = _("The GPU is no longer usable: {text}")
            raise LaunchError(text.format(text=error), context_lost=True) from error

    def _failed(self, error: Exception) -> LaunchError:
        lost = self.is_lost()
        text = _("The kernel failed: {text}") if lost else _("The driver rejected the call: {text}")
        return LaunchError(text.format(text=error), context_lost=lost)

    def is_lost(self) -> bool:
        """Whether the context is of no use any more, as after an illegal access."""
        try:
            self.cuda.Context.synchronize()
        except self.cuda.Error:
            return True
        return False
