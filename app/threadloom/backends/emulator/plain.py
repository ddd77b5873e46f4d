# SPDX-License-Identifier: MIT
"""A launch without looking at the accesses: as fast as the processor allows."""

from __future__ import annotations

from threadloom.backends.base import Compiled, LaunchError, Outputs
from threadloom.backends.emulator.interface import Status
from threadloom.backends.emulator.kernel import Kernel, Loader
from threadloom.backends.emulator.launching import (
    execute,
    failure_text,
    prepare_call,
    printed_lines,
)
from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.text import _


def run_plain(
    loader: Loader, compiled: Compiled, launch: Launch, arguments: Values, cores: int
) -> Outputs:
    """Launch once.

    Raises:
        LaunchError: If the launch cannot be made, or the kernel fails.
    """
    kernel = compiled.handle
    if not isinstance(kernel, Kernel):
        raise TypeError("the kernel was compiled by another engine")
    call = prepare_call(compiled, launch, arguments, cores, kernel.library, kernel.binary)
    execute(loader, call)
    try:
        if call.request.status == Status.FAILED:
            raise LaunchError(failure_text(call))
        if call.request.status == Status.CANCELLED:
            raise LaunchError(_("The launch was stopped."))
        printed = printed_lines(call)
    finally:
        loader.release(call.library, call.request)
    return Outputs(call.outputs, call.request.elapsed_ns * 1e-9, printed)
