# SPDX-License-Identifier: MIT
"""One launch of a case, and what is seen of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from threadloom.backends.base import LaunchError, Observed
from threadloom.model.array import Array
from threadloom.model.launch import Launch
from threadloom.model.message import message_of
from threadloom.model.trace import AccessKind, Trace
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.expected_outputs import expected_outputs
from threadloom.services.doctor.cases.memory_order import harmless_layouts
from threadloom.services.doctor.cases.values import returned
from threadloom.services.run.compare import compared


def observe(subject: Subject, launch: Launch) -> DiagnosticContext:
    """Launch observed, and compare the outputs with what is right if that is known.

    Outputs are as the caller sees them.
    """
    try:
        stage, outputs = subject.launched(launch)
    except LaunchError as error:
        return subject.context_of(subject.at(launch).failed(message_of(error)))
    trace = stage.run.trace
    if trace is None or trace.endless:
        return subject.context_of(stage)
    visible = {n: _visible(subject, n, array) for n, array in outputs.arrays.items()}
    stage, given = compared(stage, replace(outputs, arrays=visible)), stage.bound.arguments
    known = replace(
        subject.context_of(stage).known,
        expected_outputs=expected_outputs(subject, launch, given, Observed(outputs, trace)),
        not_returned=_not_returned(subject, trace),
        harmless_layouts=harmless_layouts(subject, launch, visible, stage.run.comparisons),
    )
    return DiagnosticContext(stage.run, known)


def _visible(subject: Subject, name: str, array: Array) -> Array:
    """What the caller has of an array after the launch: of one that only goes in, what it had."""
    own = subject.values[name]
    if subject.argument_of[name].access == "in" and isinstance(own, np.ndarray):
        return own
    return returned(array, own)


def _not_returned(subject: Subject, trace: Trace) -> tuple[str, ...]:
    """Arrays that are written and not copied back, where no other one that is written is."""
    access = {name: argument.access for name, argument in subject.argument_of.items()}
    written = [s.array for s in trace.sites if s.kind is not AccessKind.READ and s.array in access]
    if any(access[name] != "in" for name in written):
        return ()
    return tuple(dict.fromkeys(written))
