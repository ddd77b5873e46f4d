# SPDX-License-Identifier: MIT
"""One launch of a case: what it asks for, and what is seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from threadloom.backends.base import Compiled, CompileError, LaunchError, Observed
from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.nvcc import device_compiler
from threadloom.model.array import Array, Value
from threadloom.model.comparison import Comparison
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import AccessKind, Trace
from threadloom.services.assembly import assembled, better_worded, with_resources
from threadloom.services.check.case import Case, CaseArgument
from threadloom.services.check.values import defined, delivered, returned
from threadloom.services.compare import compare
from threadloom.services.diagnose import Facts


def compile_wholly(backend: EmulatorBackend, program: Program) -> Compiled:
    """Compile for the emulator, and with NVIDIA's compiler where it is here.

    Raises:
        CompileError: If either refuses.
    """
    compiler = device_compiler()
    if compiler is None:
        return backend.compile(program)
    answer = assembled(program, backend.device, compiler)
    try:
        compiled = backend.compile(program)
    except CompileError as refused:
        raise better_worded(refused, answer) from refused
    if answer.errors:
        raise CompileError(answer.errors)
    return with_resources(compiled, answer)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A compiled case, to be launched in one way or another."""

    case: Case
    backend: EmulatorBackend
    compiled: Compiled
    values: Mapping[str, Value]
    """What the caller passes, by the kernel's parameter names."""
    argument_of: Mapping[str, CaseArgument]
    """By parameter name."""

    def with_source(self, source: str) -> Subject:
        """The same with an edited text.

        Raises:
            CompileError: If it does not compile.
        """
        case = replace(self.case, source=source)
        program = replace(self.compiled.program, text=source)
        return replace(self, case=case, compiled=compile_wholly(self.backend, program))

    def trace(self, launch: Launch, given: Mapping[str, Value]) -> Observed:
        """Launch observed.

        Raises:
            LaunchError: If the launch cannot be made.
        """
        arrays = {name: argument for name, argument in self.argument_of.items() if argument.shape}
        return self.backend.trace(
            self.compiled,
            launch,
            given,
            outputs=tuple(name for name, argument in arrays.items() if argument.access != "in"),
            undefined=tuple(name for name, argument in arrays.items() if not defined(argument)),
        )

    def facts(self, launch: Launch) -> Facts:
        """What is known before a launch."""
        return Facts(
            device=self.backend.device,
            launch=launch,
            engine=self.backend.engine,
            source=self.case.source,
            signature=self.compiled.signature,
            resources=self.compiled.resources,
            diagnostics=self.compiled.diagnostics,
            arguments=self.values,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What came of a launch."""

    facts: Facts
    outputs: Mapping[str, Array] = field(default_factory=dict)
    """As the caller sees them."""


def observe(subject: Subject, launch: Launch) -> Seen:
    """Launch observed, and hold the outputs against what is right if that is known."""
    facts = subject.facts(launch)
    given = delivered(subject.compiled.signature, subject.values)
    try:
        seen = subject.trace(launch, given)
    except LaunchError as error:
        return Seen(replace(facts, failure=str(error)))
    arrays = {n: returned(a, subject.values[n]) for n, a in seen.outputs.arrays.items()}
    facts = replace(
        facts,
        trace=seen.trace,
        comparisons=_compared(subject, arrays),
        to_write=_to_write(subject, launch, given, seen),
    )
    return Seen(facts, arrays)


def _compared(subject: Subject, arrays: Mapping[str, Array]) -> tuple[Comparison, ...]:
    right = subject.case.right_result
    return tuple(
        compare(
            name,
            array,
            np.asarray(right[subject.argument_of[name].name], array.dtype),
            subject.case.tolerance,
        )
        for name, array in arrays.items()
        if subject.argument_of[name].name in right
    )


def _to_write(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed
) -> tuple[str, ...]:
    """Arrays that are to be written wholly.

    One that only comes back is. One that is worked on in place is, if it is stored to without
    atomics, which count what there may be none of, and if the elements that were left out have no
    say in anything: else they are what the others are computed from.
    """
    named = {
        name: argument.access
        for name, argument in subject.argument_of.items()
        if name in seen.trace.coverage and _same_size(given[name], subject.values[name])
    }
    out = [name for name, access in named.items() if access == "out"]
    inout = [name for name, access in named.items() if access == "inout"]
    idle = [
        name for name in inout if seen.trace.coverage[name].uncovered and _stored(seen.trace, name)
    ]
    return (*out, *(name for name in idle if _has_no_say(subject, launch, given, seen, name)))


def _stored(trace: Trace, name: str) -> bool:
    """Whether some place in the source writes the array without an atomic."""
    return any(site.array == name and site.kind is AccessKind.WRITE for site in trace.sites)


def _same_size(given: Value, passed: Value) -> bool:
    """Whether the kernel counts the same elements as the caller."""
    return np.size(given) == np.size(passed)


def _has_no_say(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed, name: str
) -> bool:
    """Whether nothing changes when the elements that were not written start out as others."""
    left = seen.trace.coverage[name].writes == 0
    changed = np.array(given[name])
    changed[left] = -changed[left] - 1
    try:
        again = subject.trace(launch, {**given, name: changed})
    except LaunchError:
        return False
    if not np.array_equal(again.trace.coverage[name].writes == 0, left):
        return False
    before, after = seen.outputs.arrays, again.outputs.arrays
    kept = {n: (a.reshape(-1)[~left] if n == name else a) for n, a in before.items()}
    now = {n: (a.reshape(-1)[~left] if n == name else a) for n, a in after.items()}
    return all(np.array_equal(kept[n], now[n], equal_nan=_has_nan(kept[n])) for n in kept)


def _has_nan(array: Array) -> bool:
    return array.dtype.kind in "fc"
