# SPDX-License-Identifier: MIT
"""The engine: compile, run and time a kernel on one GPU."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from threadloom.backends.base import (
    Compiled,
    CompileError,
    EngineUnavailableError,
    FrameworkTimes,
    Observed,
    Outputs,
    TransferTimes,
)
from threadloom.backends.cuda.block_profiler import (
    LONG_S,
    Recording,
    measured_timeline,
    slowdown,
    thin_out,
)
from threadloom.backends.cuda.breakdown import (
    MOST_PINNED_BYTES,
    STREAMS,
    PinnedCopies,
    pinned_bytes,
    reserve,
    time_queued,
    time_slots,
)
from threadloom.backends.cuda.compilation import build
from threadloom.backends.cuda.context import GpuContext
from threadloom.backends.cuda.device_print import printed_lines
from threadloom.backends.cuda.discovery import describe
from threadloom.backends.cuda.empty_kernel import empty_kernel
from threadloom.backends.cuda.frameworks import framework_times
from threadloom.backends.cuda.instrumented_source import Clock, recorded_source
from threadloom.backends.cuda.interleaved import interleaved_trials
from threadloom.backends.cuda.library import driver
from threadloom.backends.cuda.loaded import (
    LoadedKernel,
    enqueuer,
    launcher,
    loaded,
    note_first,
    resources_of,
)
from threadloom.backends.cuda.memory import DeviceArguments
from threadloom.backends.cuda.packing import check_arguments
from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.backends.source import parse
from threadloom.model.array import Array, Values
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, _
from threadloom.model.occupancy import occupancy
from threadloom.model.operation import Operation
from threadloom.model.program import Diagnostic, Program, Signature
from threadloom.model.provenance import Engine
from threadloom.model.severity import Severity
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.breakdown import Breakdown, PinnedBreakdown
from threadloom.model.timing.samples import Samples, StoppingCriterion

EMPTY_CRITERION = StoppingCriterion(min_samples=10, max_samples=50, time_limit_s=0.05)
"""For the kernel that does nothing."""


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
        self._empty: tuple[Samples, Samples | None] | None = None

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
            resources = resources_of(function)
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
            memory.h2d()
            enqueue = launcher(cuda, compiled, launch, memory)
            begin = time.perf_counter()
            enqueue(None)
            cuda.Context.synchronize()
            elapsed = time.perf_counter() - begin
            note_first(compiled, elapsed)
            memory.d2h()
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
            _("A GPU does not record single accesses. Observe the kernel in the emulator.")
        )

    def time(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StoppingCriterion
    ) -> TransferTimes:
        """Time the kernel warm and cold, and the copies apart; the criterion holds for each.

        Copies in are those of arrays that the kernel only reads, copies out of those that it may
        write, through pageable memory that has been touched before. In the end the kernel runs
        once more on fresh inputs, so that its results can be checked after all of this, too.

        Raises:
            LaunchError: If the driver refuses or the kernel fails.
        """
        with self._prepared(compiled, launch, arguments) as (memory, enqueue):
            first = self._first(compiled, enqueue)
            watch = self._stopwatch()
            empty, empty_cold = self._empty_times()
            watch.warm_up(enqueue)
            warm = watch.warm(enqueue, rule)
            in_stream = watch.in_stream(enqueue, rule)
            cold = watch.cold(enqueue, rule)
            pageable = _("pageable memory")
            h2d = watch.copies(memory.copy_inputs_in, rule, pageable)
            d2h = watch.copies(memory.d2h, rule, pageable)
            memory.h2d()
            enqueue(None)
            memory.d2h()
        return TransferTimes(
            warm,
            h2d,
            d2h,
            first,
            kernel_cold=cold,
            in_stream=in_stream,
            empty=empty,
            empty_cold=empty_cold,
            outputs_after=memory.results,
        )

    def launches(
        self,
        compiled: Compiled,
        launches: Sequence[Launch],
        arguments: Values,
        rule: StoppingCriterion,
    ) -> tuple[Samples, ...]:
        """Time several launches of one kernel warm, interleaved; the criterion is for each.

        Raises:
            LaunchError: If the driver refuses one of them or the kernel fails.
        """
        largest = max(launches, key=lambda launch: launch.shared_bytes)
        with self._prepared(compiled, largest, arguments) as (memory, warm_up):
            self._first(compiled, warm_up)
            watch = self._stopwatch()
            watch.warm_up(warm_up)
            resources, function = compiled.resources, loaded(compiled).function
            queued = [
                enqueuer(self._context.cuda, function, resources, launch, memory)
                for launch in launches
            ]
            enqueuer(self._context.cuda, function, resources, largest, memory)  # allows its memory
            return interleaved_trials(watch, queued, rule)

    def breakdown(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StoppingCriterion
    ) -> Breakdown:
        """Time every step from the host's memory and back; the stopping criterion holds for each.

        Raises:
            LaunchError: If the driver refuses or the kernel fails.
        """
        with self._prepared(compiled, launch, arguments) as (memory, enqueue):
            first = self._first(compiled, enqueue)
            watch = self._stopwatch()
            watch.warm_up(enqueue)
            cuda, rooms = self._context.cuda, [array.nbytes for array in memory.all_arrays]
            allocate = watch.by_host_clock(lambda: reserve(cuda, rooms), rule, NOTHING)
            pageable = _("pageable memory")
            breakdown = Breakdown(
                bytes_in=sum(array.nbytes for array in memory.read.values()),
                bytes_out=sum(array.nbytes for array in memory.results.values()),
                compile_s=compiled.compile_s,
                from_cache=compiled.from_cache,
                first_launch_s=first,
                allocate=allocate,
                h2d_pageable=watch.copies(memory.copy_inputs_in, rule, pageable),
                kernel=watch.warm(enqueue, rule),
                d2h_pageable=watch.copies(memory.d2h, rule, pageable),
            )
            if pinned_bytes(memory) > MOST_PINNED_BYTES:
                return breakdown
            return replace(
                breakdown, pinned=self._pinned(compiled, launch, arguments, memory, watch, rule)
            )

    def timeline(
        self, compiled: Compiled, launch: Launch, arguments: Values, *, warps: bool = False
    ) -> BlockTimeline:
        """Launch a build of the same source that records each block, with ``warps`` each warp.

        Raises:
            CompileError: If the source cannot be built with the recording in it, or threads leave
                the kernel past it.
            LaunchError: If the driver refuses or the kernel fails.
        """
        program, cuda = compiled.program, self._context.cuda
        with self._prepared(compiled, launch, arguments) as (memory, plain):
            watch = self._stopwatch()
            watch.warm_up(plain)
            long = watch.once(plain) > LONG_S or launch.blocks >= 2**32
            clock = Clock.of(launch, wide=long)
            text = recorded_source(program.text, program.entry, clock)
            built = build(replace(program, text=text), compiled.signature, self.device.architecture)
            function = built.module.get_function(built.symbol)
            resources = resources_of(function)
            held = occupancy(self.device, launch, resources).blocks_per_sm
            recording = Recording(cuda, built.module, launch, clock)
            recorded = enqueuer(cuda, function, resources, launch, memory)
            watch.warm_up(recorded)
            slowed = thin_out(
                recording,
                self.device.sm_count * held,
                lambda: slowdown(watch, plain, recorded),
            )
            memory.h2d()
            recording.clear()
            kernel_s = watch.once(recorded)
            records = recording.records()
        return measured_timeline(
            records,
            launch,
            stride=1 << recording.shift,
            sm_count=self.device.sm_count,
            blocks_per_sm=held,
            kernel_s=kernel_s,
            slowed=slowed,
            warps=warps,
        )

    def frameworks(
        self,
        operation: Operation,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, Array],
        rule: StoppingCriterion,
    ) -> tuple[FrameworkTimes, ...]:
        """Time an operation by every framework that is installed and has it.

        Raises:
            LaunchError: If the driver refuses.
        """
        with self._context.current():
            watch = self._stopwatch()
        device = self.device.index or 0
        return framework_times(self._context, watch, operation, inputs, outputs, rule, device)

    # Parts --------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _prepared(
        self, compiled: Compiled, launch: Launch, arguments: Values
    ) -> Iterator[tuple[DeviceArguments, Enqueue]]:
        """The arguments on the GPU and a launcher, with the context current."""
        values = check_arguments(compiled.signature, arguments, compiled.program.text)
        with self._context.current() as cuda, printed_lines(compiled.program.text):
            memory = DeviceArguments(cuda, compiled.signature, values)
            memory.h2d()
            yield memory, launcher(cuda, compiled, launch, memory)

    def _first(self, compiled: Compiled, enqueue: Enqueue) -> float:
        """Launch once and wait; seconds of the kernel's very first launch."""
        begin = time.perf_counter()
        enqueue(None)
        self._context.cuda.Context.synchronize()
        return note_first(compiled, time.perf_counter() - begin)

    def _stopwatch(self) -> Stopwatch:
        if self._watch is None:
            self._watch = Stopwatch.of(self._context.cuda, self.device)
        return self._watch

    def _empty_times(self) -> tuple[Samples, Samples | None]:
        """A kernel that does nothing, warm and cold; timed once."""
        if self._empty is None:
            watch, launch = self._stopwatch(), empty_kernel(self.device.architecture)
            watch.warm_up(launch)
            self._empty = watch.warm(launch, EMPTY_CRITERION), watch.cold(launch, EMPTY_CRITERION)
        return self._empty

    def _pinned(
        self,
        compiled: Compiled,
        launch: Launch,
        arguments: Values,
        memory: DeviceArguments,
        watch: Stopwatch,
        rule: StoppingCriterion,
    ) -> PinnedBreakdown:
        cuda = self._context.cuda
        values = check_arguments(compiled.signature, arguments, compiled.program.text)
        copies = PinnedCopies(cuda, memory)
        slots = []
        for number in range(STREAMS):
            own = DeviceArguments(cuda, compiled.signature, values) if number else memory
            own.h2d()
            slots.append(copies.slot(own, launcher(cuda, compiled, launch, own), not number))
        return PinnedBreakdown(
            pin_s=copies.pin_s,
            h2d=time_queued(watch, slots[0], copies.h2d, rule),
            d2h=time_queued(watch, slots[0], copies.d2h, rule),
            in_turn=time_slots(watch, copies, slots[:1], rule),
            overlapped=time_slots(watch, copies, slots, rule),
            streams=STREAMS,
        )


def _signature(program: Program) -> Signature:
    kernels = {kernel.name: kernel for kernel in parse(program.text).kernels}
    if program.entry in kernels:
        return kernels[program.entry]
    if kernels:
        text = _("The source has no kernel {name}; it has {names}.")
    else:
        text = _("The source has no kernel: no function is marked `__global__`.")
    message = text.format(name=program.entry, names=", ".join(kernels))
    raise CompileError((Diagnostic(Severity.ERROR, message),))
