# SPDX-License-Identifier: MIT
"""Compiles many programs at once into the engine's cache."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from threadloom.backends.base import BackendError
from threadloom.backends.cuda import CudaBackend
from threadloom.model.program import Program

PROCESSES = 12


def compile_all(programs: Iterable[Program]) -> dict[str, str]:
    """Compile each text once, in processes of their own; errors by the entry's name."""
    texts: dict[str, list[Program]] = {}
    for program in programs:
        texts.setdefault(program.text, []).append(program)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, context) as pool:
        answers = pool.map(_compiled, [same[0] for same in texts.values()], timeout=120)
        return {entry: words for entry, words in answers if words}


def _compiled(program: Program) -> tuple[str, str]:
    try:
        CudaBackend(0).compile(program)
    except BackendError as error:
        return program.entry, str(error)
    return program.entry, ""
