# SPDX-License-Identifier: MIT
"""One launch of a case, and what is seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from threadloom.backends.base import LaunchError
from threadloom.model.array import Array
from threadloom.model.comparison import Comparison
from threadloom.model.launch import Launch
from threadloom.model.message import _, message_of
from threadloom.model.run import Observation
from threadloom.model.trace import AccessKind, Trace
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.cases.case import TOLERANCE, CaseError
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.expected_outputs import expected_outputs
from threadloom.services.doctor.cases.memory_order import harmless_layouts
from threadloom.services.doctor.cases.values import delivered, returned
from threadloom.services.run.compare import compare


def observe(subject: Subject, launch: Launch) -> DiagnosticContext:
    """Launch observed, and compare the outputs with what is right if that is known.

    Outputs are as the caller sees them.
    """
    context = subject.context(launch)
    given = delivered(subject.compiled.signature, subject.values)
    try:
        seen = subject.trace(launch, given)
    except LaunchError as error:
        return replace(context, run=replace(context.run, failure=message_of(error)))
    if seen.trace.endless:  # what it wrote so far is not what it would write
        observation = Observation(trace=replace(seen.trace, coverage={}))
        return replace(context, run=replace(context.run, observation=observation))
    visible = {n: _visible(subject, n, array) for n, array in seen.outputs.arrays.items()}
    comparisons = _compared(subject, visible)
    observation = Observation(outputs=visible, comparisons=comparisons, trace=seen.trace)
    known = replace(
        context.known,
        expected_outputs=expected_outputs(subject, launch, given, seen),
        not_returned=_not_returned(subject, seen.trace),
        harmless_layouts=harmless_layouts(subject, launch, visible, comparisons),
    )
    return DiagnosticContext(replace(context.run, observation=observation), known)


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


def _compared(subject: Subject, visible: Mapping[str, Array]) -> tuple[Comparison, ...]:
    right = subject.case.right_result
    named = {name: subject.argument_of[name].name for name in visible}
    return tuple(
        _comparison(subject, name, array, right[named[name]])
        for name, array in visible.items()
        if named[name] in right
    )


def _comparison(subject: Subject, name: str, array: Array, right: object) -> Comparison:
    """Complex numbers are held against pairs, as JSON has them.

    Raises:
        CaseError: If what is right has another number of elements.
    """
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array).view(np.real(array).dtype)
    # What is right may be more than the array's own integers hold.
    whole = array.dtype.kind in "iub"
    expected: Array = np.asarray(right) if whole else np.asarray(right).astype(array.dtype)
    if expected.size != array.size:
        text = _("“right_result”: {array} has {have} elements, but {given} are given.")
        raise CaseError(text.format(array=name, have=array.size, given=expected.size))
    usual = TOLERANCE if array.dtype.kind == "f" else 0.0
    tolerance = subject.case.tolerance
    return compare(name, array, expected, usual if tolerance is None else tolerance)
