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
from threadloom.services.run.binding import Bound
from threadloom.services.run.draft import Draft
from threadloom.services.run.engines import Engines
from threadloom.services.run.program import program_of
from threadloom.worker.protocol import Context

MOST_BESIDE_GPU = 1 << 24
"""Threads up to which a run on a GPU is repeated in the emulator."""


class Observation:
    """Watches launches in the emulator."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def of_launch(self, draft: Draft, block: Dim3 | None) -> Outputs:
        """Launch the emulator's kernel once, observed.

        Raises:
            LaunchError: If the kernel fails.
        """
        assert draft.compiled is not None  # noqa: S101 - the caller has compiled
        return self._watch(draft, draft.compiled, block)

    def beside_gpu(self, draft: Draft, block: Dim3 | None, context: Context) -> None:
        """See what a GPU does not show, if the launch is not too large; else say why not."""
        threads = draft.resolved.launch.threads
        if threads > MOST_BESIDE_GPU:
            text = _("It has {threads} threads; up to {most} are observed beside a run on a GPU.")
            reason = text.format(threads=count(threads), most=count(MOST_BESIDE_GPU))
            draft.notes = (_not_observed(reason),)
            return
        context.check()
        context.progress(draft.progress("observing"))
        emulator = self._engines.emulator(draft.device)
        try:
            compiled = self._engines.compile(emulator, program_of(draft.resolved), context)
            self._watch(draft, compiled, block)
            if draft.trace is not None and draft.trace.endless and not draft.failure:
                draft.trace = None
                draft.notes = (_not_observed(_("It takes too long in the emulator.")),)
        except BackendError as error:
            draft.notes = (_not_observed(message_of(error)),)

    def _watch(self, draft: Draft, compiled: Compiled, block: Dim3 | None) -> Outputs:
        assert draft.bound is not None  # noqa: S101 - the caller has bound
        seen = self._engines.emulator(draft.device).trace(
            compiled,
            draft.resolved.launch,
            draft.bound.arguments,
            block,
            outputs=_parameters(draft, draft.bound, Role.OUT, Role.INOUT),
            undefined=_parameters(draft, draft.bound, Role.OUT),
        )
        draft.trace = _by_argument(seen.trace, draft.bound)
        return seen.outputs


def _parameters(draft: Draft, bound: Bound, *roles: Role) -> tuple[str, ...]:
    """Parameters of the kernel that hold arguments of these roles."""
    names = {a.name for a in draft.resolved.operation.arguments if a.role in roles}
    return tuple(parameter for parameter, name in bound.argument_of.items() if name in names)


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
