# SPDX-License-Identifier: MIT
"""Has NVIDIA's compiler look at kernels that the emulator runs, while other work goes on."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from threadloom.backends.base import Compiled, CompileError
from threadloom.backends.emulator.templates.specialization import specialization_of
from threadloom.backends.nvcc import Assembled, DeviceCompiler, assemble, device_compiler
from threadloom.backends.source import parse
from threadloom.model.device import DeviceModel
from threadloom.model.program import Program
from threadloom.model.severity import Severity

LOOK_S = 0.02
"""A wait looks so often whether it is still wanted."""
MOST_KEPT = 64
"""Answers that are kept in this process."""


class Assembling:
    """One compilation, in a thread of its own that ends with it."""

    def __init__(self, work: Callable[[], Assembled]) -> None:
        self._work = work
        self._answer = Assembled()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="nvcc", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether nothing has to be waited for."""
        return not self._thread.is_alive()

    def answer(self, timeout_s: float, check: Callable[[], None]) -> Assembled | None:
        """What came of it; None if it is not done in time.

        ``check`` is called meanwhile and may raise.
        """
        deadline = time.monotonic() + timeout_s
        while self._thread.is_alive() and (left := deadline - time.monotonic()) > 0:
            self._thread.join(min(left, LOOK_S))
            check()
        if self._thread.is_alive():
            return None
        if self._error is not None:
            raise self._error
        return self._answer

    def _run(self) -> None:
        try:
            self._answer = self._work()
        except Exception as error:  # noqa: BLE001 - raised again where the answer is taken
            self._error = error


class Assembly:
    """Begins compilations and keeps their answers. Belongs to one thread."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Program, DeviceModel], Assembling] = OrderedDict()

    @cached_property
    def compiler(self) -> DeviceCompiler | None:
        """NVIDIA's compiler, if it is here; looked for once."""
        return device_compiler()

    def begin(self, program: Program, device: DeviceModel) -> Assembling | None:
        """Have a kernel compiled for a device model; None if there is no compiler."""
        compiler = self.compiler
        if compiler is None:
            return None
        key = (program, device)
        if key not in self._kept:
            self._kept[key] = Assembling(lambda: assembled(program, device, compiler))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def assembled(program: Program, device: DeviceModel, compiler: DeviceCompiler) -> Assembled:
    """What NVIDIA's compiler says of a kernel; nothing of one that cannot be told in the source."""
    try:
        call, signature = specialization_of(parse(program.text), program.entry)
    except CompileError:
        return Assembled()
    named = replace(program, entry=signature.name)
    return assemble(named, device, compiler, call if signature.template else "")


def with_resources(compiled: Compiled, answer: Assembled) -> Compiled:
    """The kernel with the resources that NVIDIA's compiler found, if it did."""
    if answer.resources is None:
        return compiled
    return replace(compiled, resources=answer.resources)


def better_worded(refused: CompileError, answer: Assembled | None) -> CompileError:
    """The emulator's errors, or those of NVIDIA's compiler where these say more.

    The emulator's compiler speaks of C++ and knows nothing of CUDA's rules, such as that a kernel
    returns nothing. What the emulator words by itself is kept; a log that names no line is not.
    """
    errors = [d for d in refused.diagnostics if d.severity is Severity.ERROR]
    foreign = not errors or any(
        error.raw and error.message.english() in error.raw for error in errors
    )
    if answer is None or not answer.errors or not foreign:
        return refused
    others = tuple(d for d in refused.diagnostics if d.severity is not Severity.ERROR)
    return CompileError((*answer.errors, *others), refused.log)
