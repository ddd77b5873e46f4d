# SPDX-License-Identifier: MIT
"""Who touched what: the emulator watches a launch, also one that a GPU has made."""

from __future__ import annotations

from dataclasses import replace

from threadloom.backends.base import BackendError, Compiled, Outputs
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.message import Message, _, count, message_of
from threadloom.model.operation import Role
from threadloom.model.severity import Severity
from threadloom.model.trace import Coverage, Trace
from threadloom.services.messages.run import Stage
from threadloom.services.run.binding import Bound
from threadloom.services.run.engines import Engines
from threadloom.services.run.program import program_of
from threadloom.services.run.stages import Ready
from threadloom.worker.protocol import Context

MOST_BESIDE_GPU = 1 << 24
"""Threads up to which a run on a GPU is repeated in the emulator."""


class Observer:
    """Watches launches in the emulator."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def of_launch(self, stage: Ready, block: Dim3 | None) -> tuple[Ready, Outputs]:
        """Launch the emulator's kernel once, observed.

        Raises:
            LaunchError: If the kernel fails.
        """
        return self._watch(stage, stage.compiled, block)

    def beside_gpu(self, stage: Ready, block: Dim3 | None, context: Context) -> Ready:
        """See what a GPU does not show, if the launch is not too large; else say why not."""
        threads = stage.run.launch.threads
        if threads > MOST_BESIDE_GPU:
            text = _(
                "The launch has {threads} threads; with a run on a GPU, up to {most} are observed."
            )
            reason = text.format(threads=count(threads), most=count(MOST_BESIDE_GPU))
            return replace(stage, notes=(_not_observed(reason),))
        context.check()
        context.progress(stage.progress(Stage.OBSERVING))
        emulator = self._engines.emulator(stage.run.device)
        try:
            compiled = self._engines.compile(emulator, program_of(stage.resolved), context)
            watched, _outputs = self._watch(stage, compiled, block)
        except BackendError as error:
            return replace(stage, notes=(_not_observed(message_of(error)),))
        trace = watched.run.trace
        if trace is not None and trace.endless and not stage.run.failure:
            return replace(
                stage, notes=(_not_observed(_("The launch exceeds the emulator's time limit.")),)
            )
        return watched

    def _watch(self, stage: Ready, compiled: Compiled, block: Dim3 | None) -> tuple[Ready, Outputs]:
        seen = self._engines.emulator(stage.run.device).trace(
            compiled,
            stage.run.launch,
            stage.bound.arguments,
            block,
            outputs=_parameters(stage, Role.OUT, Role.INOUT),
            undefined=_parameters(stage, Role.OUT),
        )
        trace = _by_argument(seen.trace, stage.bound)
        return stage.seen(replace(stage.observation, trace=trace)), seen.outputs


def _parameters(stage: Ready, *roles: Role) -> tuple[str, ...]:
    """Parameters of the kernel that hold arguments of these roles."""
    names = {a.name for a in stage.resolved.operation.arguments if a.role in roles}
    return tuple(parameter for parameter, name in stage.bound.argument_of.items() if name in names)


def _by_argument(trace: Trace, bound: Bound) -> Trace:
    """The trace with its coverage under the operation's names."""
    coverage: dict[str, Coverage] = {}
    for parameter, seen in trace.coverage.items():
        name = bound.argument_of.get(parameter, parameter)
        coverage[name] = seen if name == seen.array else replace(seen, array=name)
    return replace(trace, coverage=coverage)


def _not_observed(reason: Message) -> Finding:
    """Why nobody can say who touched what."""
    return Finding(
        kind="not-observed",
        severity=Severity.NOTE,
        message=_("The emulator did not observe this launch"),
        detail=reason,
    )
