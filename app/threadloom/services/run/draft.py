# SPDX-License-Identifier: MIT
"""A run while it comes about: what is known so far, as facts for findings and as a result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from threadloom.backends.base import Backend, Compiled
from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding
from threadloom.model.message import NOTHING, Message
from threadloom.model.occupancy import Occupancy, occupancy
from threadloom.model.program import Diagnostic, Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.breakdown import Breakdown
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.samples import Timing
from threadloom.model.trace import Trace
from threadloom.services.doctor import Facts, diagnose
from threadloom.services.messages.run import RunProgress, RunResult
from threadloom.services.run.binding import Bound
from threadloom.services.run.device_compile import Assembling, with_resources
from threadloom.services.run.resolve import Resolved


@dataclass(slots=True, eq=False)
class Draft:
    """Grows from step to step of a run."""

    resolved: Resolved
    backend: Backend
    signature: Signature | None = None
    compiled: Compiled | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    compile_log: str = ""
    bound: Bound | None = None
    occupancy: Occupancy | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    trace: Trace | None = None
    timeline: BlockTimeline | None = None
    timings: tuple[Timing, ...] = ()
    kernel_times: KernelTimes | None = None
    breakdown: Breakdown | None = None
    after_timing: Mapping[str, Array] = field(default_factory=dict)
    """Results of a launch after all timing, by the kernel's parameters."""
    failure: Message = NOTHING
    assembling: Assembling | None = None
    """NVIDIA's compiler at work on the kernel; None if it is not asked, or has answered."""
    notes: tuple[Finding, ...] = ()
    """What the run itself has to say."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def engine(self) -> Engine:
        """What runs the kernel."""
        return self.backend.engine

    @property
    def device(self) -> DeviceModel:
        """What the launch is held against."""
        return self.backend.device

    @property
    def resources(self) -> Resources | None:
        """What the compiled kernel uses."""
        return self.compiled.resources if self.compiled else None

    @property
    def elapsed_s(self) -> float:
        """Time since the run began."""
        return time.perf_counter() - self.began

    def progress(self, stage: str) -> RunProgress:
        """What to send ahead when a stage begins."""
        return RunProgress(stage, self.elapsed_s, self.engine, self.device)

    def findings(self) -> tuple[Finding, ...]:
        """What there is to say so far."""
        unbound = self.bound.findings if self.bound else ()
        return (*unbound, *diagnose(self._facts()), *self.notes)

    @property
    def is_refused(self) -> bool:
        """Whether something is known that keeps the launch from taking place."""
        return any(finding.stops_launch for finding in self.findings())

    def take_resources(self, patience_s: float, check: Callable[[], None]) -> None:
        """Add what NVIDIA's compiler says, if it says it in time.

        What it refuses, no device would run: nothing then remains of an emulated run.
        """
        if self.assembling is None or self.compiled is None:
            return
        assembled = self.assembling.answer(patience_s, check)
        if assembled is None:
            return
        self.assembling = None
        self.diagnostics += assembled.errors
        self.compiled = with_resources(self.compiled, assembled)
        self.occupancy = occupancy(self.device, self.resolved.launch, self.compiled.resources)
        if self.is_refused:
            self.outputs, self.comparisons, self.timings = {}, (), ()
            self.trace = self.timeline = None

    def result(self) -> RunResult:
        """All that is known."""
        resolved, compiled = self.resolved, self.compiled
        return RunResult(
            job=replace(resolved.job, sizes=dict(resolved.sizes), variant=resolved.variant.name),
            launch=resolved.launch,
            engine=self.engine,
            device=self.device,
            signature=self.signature,
            source=resolved.source,
            resources=self.resources,
            diagnostics=self.diagnostics,
            compile_s=compiled.compile_s if compiled else 0.0,
            from_cache=compiled.from_cache if compiled else False,
            comparisons=self.comparisons,
            inputs=self.inputs,
            outputs=self.outputs,
            trace=self.trace,
            occupancy=self.occupancy,
            timeline=self.timeline,
            timings=self.timings,
            kernel_times=self.kernel_times,
            breakdown=self.breakdown,
            findings=self.findings(),
            elapsed_s=self.elapsed_s,
            resources_due=self.assembling is not None and bool(self.outputs),
        )

    def _facts(self) -> Facts:
        resolved = self.resolved
        return Facts(
            device=self.device,
            launch=resolved.launch,
            engine=self.engine,
            job=resolved.job,
            operation=resolved.operation,
            variant=resolved.variant,
            sizes=resolved.sizes,
            source=resolved.source,
            signature=self.signature,
            resources=self.resources,
            diagnostics=self.diagnostics,
            compile_log=self.compile_log,
            arguments=self.bound.arguments if self.bound else {},
            comparisons=self.comparisons,
            trace=self.trace,
            occupancy=self.occupancy,
            timeline=self.timeline,
            timings=self.timings,
            failure=self.failure,
        )
