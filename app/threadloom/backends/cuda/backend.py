# SPDX-License-Identifier: MIT
"""The engine: compile, run and time a kernel on one GPU."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from threadloom.backends.base import (
    Compiled,
    CompileError,
    EngineUnavailableError,
    LaunchError,
    Observed,
    Outputs,
    TransferTimes,
)
from threadloom.backends.cuda.compilation import build
from threadloom.backends.cuda.context import GpuContext
from threadloom.backends.cuda.device_print import printed_lines
from threadloom.backends.cuda.discovery import describe
from threadloom.backends.cuda.library import driver
from threadloom.backends.cuda.memory import DeviceArguments
from threadloom.backends.cuda.packing import check_arguments
from threadloom.backends.cuda.stopwatch import Stopwatch
from threadloom.backends.source import parse
from threadloom.model.array import Values
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Diagnostic, Program, Resources, Severity, Signature
from threadloom.model.provenance import Engine
from threadloom.model.samples import StopRule
from threadloom.text import _

MOST_UNSIGNED = 2**32 - 1


@dataclass(slots=True, eq=False)
class LoadedKernel:
    """What `CudaBackend.compile` hands through `Compiled.handle`."""

    module: Any
    """Kept alive as long as the function."""
    function: Any
    """PyCUDA's ``Function``."""
    first_launch_s: float | None = None
    """Wall-clock time of its first launch, which loads the code; None before it."""


class CudaBackend:
    """One GPU. It belongs to the thread that made it."""

    engine = Engine.GPU

    def __init__(self, index: int = 0) -> None:
        """Take the GPU of this number of the driver.

        Raises:
            EngineUnavailableError: If PyCUDA, the driver or the GPU is missing.
        """
        cuda = driver()
        self.device: DeviceModel = describe(cuda, index)
        self._context = GpuContext(cuda, index)
        self._watch: Stopwatch | None = None

    def compile(self, program: Program) -> Compiled:
        """Compile with nvcc through PyCUDA's ``SourceModule``, or take from the cache.

        Raises:
            CompileError: With the user's lines.
            EngineUnavailableError: If there is no nvcc.
        """
        signature = _signature(program)
        begin = time.perf_counter()
        with self._context.current():
            built = build(program, signature, self.device.architecture)
            function = built.module.get_function(built.symbol)
            resources = _resources(function)
        return Compiled(
            program=program,
            signature=signature,
            resources=resources,
            diagnostics=built.diagnostics,
            compile_s=time.perf_counter() - begin,
            from_cache=built.from_cache,
            handle=LoadedKernel(built.module, function),
        )

    def run(self, compiled: Compiled, launch: Launch, arguments: Values) -> Outputs:
        """Launch once and copy back all arrays that the kernel may write.

        Raises:
            LaunchError: If the driver refuses or the kernel fails. After a failure the context is
                lost, and with it this process' use of the GPU.
        """
        values = check_arguments(compiled.signature, arguments, compiled.program.text)
        with self._context.current() as cuda, printed_lines(compiled.program.text) as printed:
            memory = DeviceArguments(cuda, compiled.signature, values)
            memory.copy_in()
            enqueue = _launcher(cuda, compiled, launch, memory)
            begin = time.perf_counter()
            enqueue(None)
            cuda.Context.synchronize()
            elapsed = time.perf_counter() - begin
            _note_first(compiled, elapsed)
            memory.copy_out()
        return Outputs(memory.results, elapsed, tuple(printed))

    def trace(
        self,
        compiled: Compiled,
        launch: Launch,
        arguments: Values,
        block: Dim3 | None = None,
        outputs: tuple[str, ...] = (),
    ) -> Observed:
        """Refuse: a GPU does not say who touched what; the emulator does.

        Raises:
            EngineUnavailableError: Always.
        """
        raise EngineUnavailableError(
            _("A GPU does not show single accesses. The emulator observes the same kernel.")
        )

    def time(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StopRule
    ) -> TransferTimes:
        """Time the kernel warm and cold, and the copies apart; the rule holds for each of the four.

        Copies in are those of arrays that the kernel only reads, copies out of those that it may
        write, through pageable memory that has been touched before.

        Raises:
            LaunchError: If the driver refuses or the kernel fails.
        """
        values = check_arguments(compiled.signature, arguments, compiled.program.text)
        with self._context.current() as cuda, printed_lines(compiled.program.text):
            memory = DeviceArguments(cuda, compiled.signature, values)
            memory.copy_in()
            enqueue = _launcher(cuda, compiled, launch, memory)
            begin = time.perf_counter()
            enqueue(None)
            cuda.Context.synchronize()
            first = _note_first(compiled, time.perf_counter() - begin)
            watch = self._watch = self._watch or Stopwatch.of(cuda, self.device)
            watch.warm_up(enqueue)
            warm = watch.warm(enqueue, rule)
            cold = watch.cold(enqueue, rule, about_s=warm.median_s)
            copy_in = watch.copies(memory.copy_inputs_in, rule)
            copy_out = watch.copies(memory.copy_out, rule)
        return TransferTimes(warm, copy_in, copy_out, first, kernel_cold=cold)


def _signature(program: Program) -> Signature:
    kernels = {kernel.name: kernel for kernel in parse(program.text).kernels}
    if program.entry in kernels:
        return kernels[program.entry]
    if kernels:
        text = _("The source has no kernel {name}; it has {names}.")
    else:
        text = _("The source has no kernel: no function is marked __global__.")
    message = text.format(name=program.entry, names=", ".join(kernels))
    raise CompileError((Diagnostic(Severity.ERROR, message),))


def _resources(function: Any) -> Resources:
    return Resources(
        registers=int(function.num_regs),
        shared_bytes=int(function.shared_size_bytes),
        local_bytes=int(function.local_size_bytes),
        constant_bytes=int(function.const_size_bytes),
        max_threads_per_block=int(function.max_threads_per_block),
    )


def _launcher(
    cuda: Any, compiled: Compiled, launch: Launch, memory: DeviceArguments
) -> Callable[[Any], None]:
    """A function that queues the launch on a stream; None is the default stream."""
    if not all(0 <= extent <= MOST_UNSIGNED for extent in (*launch.grid, *launch.block)):
        text = _("A launch of {grid} blocks of {block} threads cannot be put to the driver.")
        raise LaunchError(text.format(grid=launch.grid, block=launch.block))
    kernel = _loaded(compiled)
    _allow_shared(cuda, kernel.function, compiled.resources.shared_bytes, launch.shared_bytes)
    kernel.function.prepare(memory.formats)
    packed, grid, block = memory.packed, tuple(launch.grid), tuple(launch.block)

    def enqueue(stream: Any) -> None:
        kernel.function.prepared_async_call(
            grid, block, stream, *packed, shared_size=launch.shared_bytes
        )

    return enqueue


def _allow_shared(cuda: Any, function: Any, static: int, dynamic: int) -> None:
    """Ask for more than the usual 48 KiB of shared memory, which the driver wants to be told."""
    if dynamic and static + dynamic > 48 * 1024:
        attribute = cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
        function.set_attribute(attribute, dynamic)


def _loaded(compiled: Compiled) -> LoadedKernel:
    if not isinstance(compiled.handle, LoadedKernel):
        raise TypeError(f"{compiled.program.entry} was compiled by another engine")
    return compiled.handle


def _note_first(compiled: Compiled, seconds: float) -> float:
    kernel = _loaded(compiled)
    if kernel.first_launch_s is None:
        kernel.first_launch_s = seconds
    return kernel.first_launch_s
