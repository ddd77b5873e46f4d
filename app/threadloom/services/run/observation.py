# SPDX-License-Identifier: MIT
"""Who touched what: the emulator watches a launch, also one that a GPU has made."""

from __future__ import annotations

from dataclasses import replace

from threadloom.backends.base import BackendError, Compiled, Outputs
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.message import Message, _, count, message_of
from threadloom.model.severity import Severity
from threadloom.model.trace import Coverage, Trace
from threadloom.services.messages.run import Stage
from threadloom.services.run.binding import Bound
from threadloom.services.run.engines import Engines
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
        stage, outputs = self.watch(stage, stage.compiled, block)
        trace = stage.run.trace
        if trace is not None and trace.endless:  # not what the kernel would write
            stage = stage.seen(replace(stage.observation, trace=replace(trace, coverage={})))
        return stage, outputs

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
            compiled = self._engines.compile(emulator, stage.program, context)
            watched, _outputs = self.watch(stage, compiled, block)
        except BackendError as error:
            return replace(stage, notes=(_not_observed(message_of(error)),))
        trace = watched.run.trace
        if trace is not None and trace.endless and not stage.run.failure:
            return replace(
                stage, notes=(_not_observed(_("The launch exceeds the emulator's time limit.")),)
            )
        return watched

    def watch(
        self, stage: Ready, compiled: Compiled, block: Dim3 | None = None
    ) -> tuple[Ready, Outputs]:
        """Launch a kernel once, observed, whatever comes of it.

        Raises:
            LaunchError: If the kernel fails.
        """
        seen = self._engines.emulator(stage.run.device).trace(
            compiled,
            stage.run.launch,
            stage.bound.arguments,
            block,
            outputs=_parameters(stage, stage.problem.returned),
            undefined=_parameters(stage, stage.problem.undefined),
        )
        trace = _by_argument(seen.trace, stage.bound)
        return stage.seen(replace(stage.observation, trace=trace)), seen.outputs


def _parameters(stage: Ready, names: frozenset[str]) -> tuple[str, ...]:
    """Parameters of the kernel that hold these arguments."""
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
