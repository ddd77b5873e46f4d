# SPDX-License-Identifier: MIT
"""An uninstrumented run: as fast as the processor allows."""

from __future__ import annotations

import functools
from pathlib import Path

from threadloom.backends.base import Compiled, CompileError, LaunchError, Outputs
from threadloom.backends.emulator.compile.binary import Binary, read_binary
from threadloom.backends.emulator.compile.build import build_kernel
from threadloom.backends.emulator.compile.diagnostics import diagnostics_of
from threadloom.backends.emulator.compile.kernel import Kernel
from threadloom.backends.emulator.report.failure import failure_text, printed_lines
from threadloom.backends.emulator.report.timeout import timeout_text
from threadloom.backends.emulator.runtime.abi import Status
from threadloom.backends.emulator.runtime.launch import execute, prepare_call
from threadloom.backends.emulator.runtime.loader import Loader
from threadloom.backends.source import prepare
from threadloom.backends.toolchain import ToolchainError
from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.message import _


def run_uninstrumented(
    loader: Loader,
    compiled: Compiled,
    launch: Launch,
    arguments: Values,
    cores: int,
    limit_s: float = 0.0,
) -> Outputs:
    """Launch once.

    Raises:
        LaunchError: If the launch cannot be made, or the kernel fails.
    """
    kernel = compiled.handle
    if not isinstance(kernel, Kernel):
        raise TypeError("the kernel was compiled by another engine")
    library, binary = _uninstrumented_build(kernel)
    call = prepare_call(compiled, launch, arguments, cores, library, binary)
    call.request.limit_ns = int(limit_s * 1e9)
    execute(loader, call)
    try:
        if call.request.timeout:
            raise LaunchError(timeout_text(call))
        if call.request.status == Status.FAILED:
            raise LaunchError(failure_text(call))
        if call.request.status == Status.CANCELED:
            raise LaunchError(_("The launch was stopped."))
        printed = printed_lines(call)
    finally:
        loader.release(call.library, call.request)
    return Outputs(call.outputs, call.request.elapsed_ns * 1e-9, printed)


def _uninstrumented_build(kernel: Kernel) -> tuple[Path, Binary]:
    """The kernel's uninstrumented build; from the cache, or compiled now."""
    library, binary = _built(kernel)
    if not library.exists():  # the cache is bounded, and made room since
        _built.cache_clear()
        library, binary = _built(kernel)
    return library, binary


@functools.lru_cache(maxsize=32)
def _built(kernel: Kernel) -> tuple[Path, Binary]:
    """Kept with the kernel: to find a library in the cache takes longer than many a launch."""
    try:
        built, _prepared = build_kernel(kernel.parsed, kernel.call, observed=False)
    except ToolchainError as error:
        found = diagnostics_of(error.log, prepare(kernel.parsed))
        raise CompileError(found, error.log) from None
    return built.path, read_binary(built.path)
