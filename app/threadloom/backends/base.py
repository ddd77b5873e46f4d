# SPDX-License-Identifier: MIT
"""What every engine can do: compile, run, trace, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from threadloom.model.array import Array, Values
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.message import Message
from threadloom.model.operation import Operation
from threadloom.model.program import Diagnostic, Program, Resources, Signature
from threadloom.model.provenance import Engine
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.breakdown import Breakdown
from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.model.trace import Trace


class BackendError(Exception):
    """An engine could not do what was asked; the text says what and why."""


class EngineUnavailableError(BackendError):
    """The engine is not here: no driver, no PyCUDA, no compiler. The text says what would help."""


class CompileError(BackendError):
    """The source did not compile."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], log: str = "") -> None:
        self.diagnostics = diagnostics
        self.log = log
        first = diagnostics[0].message if diagnostics else log
        super().__init__(first)

    def __reduce__(self) -> tuple[type, tuple[tuple[Diagnostic, ...], str]]:
        return type(self), (self.diagnostics, self.log)


class NotEmulatedError(CompileError):
    """The source asks for what this engine does not have; it may be right all the same."""


class KernelLeftOutError(CompileError):
    """The source compiles, but the preprocessor leaves the kernel out of it."""


class LaunchError(BackendError):
    """The engine refused the launch, or the kernel failed; the text holds the engine's words."""

    def __init__(self, message: Message, *, context_lost: bool = False) -> None:
        self.context_lost = context_lost
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A kernel that is ready to run."""

    program: Program
    signature: Signature
    resources: Resources
    diagnostics: tuple[Diagnostic, ...]
    """Warnings and notes, such as host code that was left out."""
    compile_s: float
    from_cache: bool
    handle: object
    """The engine's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """Arrays after a run, by parameter name; all arrays that the kernel may write."""

    arrays: Mapping[str, Array]
    elapsed_s: float
    """Wall-clock time of the launch in the engine, in seconds."""
    printed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Outputs of an observed run with what was seen."""

    outputs: Outputs
    trace: Trace


@dataclass(frozen=True, slots=True)
class TransferTimes:
    """Kernel and copies, timed apart."""

    kernel: Samples
    h2d: Samples
    """All inputs to the device."""
    d2h: Samples
    """All outputs back."""
    first_launch_s: float
    kernel_cold: Samples | None = None
    """The kernel with flushed caches, where the engine can flush them."""
    in_stream: Samples | None = None
    """Launches that follow each other in a stream; beyond `kernel` it is what a launch costs."""
    empty: Samples | None = None
    """A kernel that does nothing, timed like `kernel`: no time below it means anything."""
    empty_cold: Samples | None = None
    """The same, timed like `kernel_cold`."""
    outputs_after: Mapping[str, Array] = field(default_factory=dict)
    """Arrays after one more launch on fresh inputs, so that results can be checked again."""


class Backend(Protocol):
    """One engine.

    Arguments are arrays and NumPy scalars in parameter order; arrays are never changed, the
    results come back as new ones.
    """

    engine: Engine
    device: DeviceModel
    """Limits that launches are held against: of the GPU, or of the modeled one."""

    def compile(self, program: Program) -> Compiled:
        """Compile, or take from the cache.

        Raises:
            CompileError: With the user's lines.
            EngineUnavailableError: If there is no compiler.
        """
        ...

    def run(self, compiled: Compiled, launch: Launch, arguments: Values) -> Outputs:
        """Launch once and copy the results back.

        Raises:
            LaunchError: If the engine refuses or the kernel fails.
        """
        ...

    def trace(
        self,
        compiled: Compiled,
        launch: Launch,
        arguments: Values,
        block: Dim3 | None = None,
        outputs: tuple[str, ...] = (),
    ) -> Observed:
        """Run observed; with ``block``, keep every access of that block.

        ``outputs`` names the arrays whose coverage is wanted; all that may be written if empty.

        Raises:
            EngineUnavailableError: If this engine cannot observe.
        """
        ...

    def time(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StoppingCriterion
    ) -> TransferTimes:
        """Time kernel and copies apart.

        Raises:
            EngineUnavailableError: If this engine's times mean nothing for a GPU.
        """
        ...


@runtime_checkable
class RecordsBlocks(Protocol):
    """An engine that can see when and where each block ran."""

    def timeline(
        self, compiled: Compiled, launch: Launch, arguments: Values, *, warps: bool = False
    ) -> BlockTimeline:
        """Launch a build of the same source that records each block, with ``warps`` each warp.

        Raises:
            CompileError: If the source cannot be built with the recording in it.
            LaunchError: If the engine refuses or the kernel fails.
        """
        ...


@runtime_checkable
class TimesBreakdown(Protocol):
    """An engine with memory of its own, and a way there and back."""

    def breakdown(
        self, compiled: Compiled, launch: Launch, arguments: Values, rule: StoppingCriterion
    ) -> Breakdown:
        """Time every step from the host's memory and back; the stopping criterion holds for each.

        Raises:
            LaunchError: If the engine refuses or the kernel fails.
        """
        ...


@runtime_checkable
class TimesLaunches(Protocol):
    """An engine that can compare launches of one kernel."""

    def launches(
        self,
        compiled: Compiled,
        launches: Sequence[Launch],
        arguments: Values,
        rule: StoppingCriterion,
    ) -> tuple[Samples, ...]:
        """Time several launches of one kernel warm, interleaved; the criterion is for each.

        Raises:
            LaunchError: If the engine refuses one of them or the kernel fails.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FrameworkTimes:
    """One framework's times of an operation."""

    label: Message
    """Such as ``CuPy 14.2.0`` or ``PyTorch 2.11.0``."""
    warm: Samples
    """Calls queued one by one, far ahead of the GPU."""
    outputs: Mapping[str, Array]
    """What it computed."""


@runtime_checkable
class TimesFrameworks(Protocol):
    """An engine that can say what frameworks do on the same hardware."""

    def frameworks(
        self,
        operation: Operation,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, Array],
        rule: StoppingCriterion,
    ) -> tuple[FrameworkTimes, ...]:
        """Time an operation by every framework that is installed and has it.

        ``outputs`` gives shapes and types of the results.

        Raises:
            LaunchError: If the engine fails.
        """
        ...
