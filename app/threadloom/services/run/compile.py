# SPDX-License-Identifier: MIT
"""Compile a run's kernel, and hear what NVIDIA's compiler says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from threadloom.backends.base import CompileError
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation
from threadloom.services.messages.run import Stage
from threadloom.services.run.device_compile import Assembly, better_worded
from threadloom.services.run.engines import Engines
from threadloom.services.run.stages import Begun, Built, built
from threadloom.worker.protocol import Context

MOST_WAIT_S = 120.0
"""For NVIDIA's compiler; what it has not said by then stays unknown."""
WORDS_WAIT_S = 1.0
"""For what it says of a source that the emulator's compiler has refused."""

BuiltT = TypeVar("BuiltT", bound=Built)


def compile_kernel(
    begun: Begun,
    engines: Engines,
    context: Context,
    assembly: Assembly | None = None,
    words_wait_s: float = WORDS_WAIT_S,
) -> Begun | Built:
    """Compile; the stage stays what it is if the source does not.

    With ``assembly``, NVIDIA's compiler is set to work as well; a GPU's driver tells by itself.
    """
    program, at_work = begun.program, None
    if assembly is not None and begun.run.engine is Engine.EMULATOR:
        at_work = assembly.begin(program, begun.run.device)
    try:
        return built(begun, engines.compile(begun.backend, program, context), at_work)
    except CompileError as refused:
        error = refused
        if at_work is not None:
            error = better_worded(refused, at_work.answer(words_wait_s, context.check))
        return not_compiled(begun, error)


def not_compiled(begun: Begun, error: CompileError) -> Begun:
    """The stage after a compiler has refused the source."""
    failed = Compilation(diagnostics=error.diagnostics, log=error.log or str(error))
    return replace(begun, run=replace(begun.run, compilation=failed), refusal=error)


def take_resources(stage: BuiltT, patience_s: float, context: Context) -> BuiltT:
    """Add what NVIDIA's compiler says, if it does in time; the kernel's clock stands meanwhile."""
    waits = patience_s > 0 and stage.device_compile is not None and not stage.device_compile.done
    if waits:
        context.progress(stage.progress(Stage.COMPILING))
        context.extend_deadline(2 * MOST_WAIT_S)
    try:
        return stage.with_device_compile(patience_s, context.check)
    finally:
        if waits:
            context.extend_deadline()
