# SPDX-License-Identifier: MIT
"""Random launches, legal and not: which of them the driver takes.

Each is made in one of two ways: as our engine makes it, which asks for more than the usual shared
memory where that is needed, or as a plain ``<<<>>>``, which does not. The record holds the device's
limits, what the kernels use, and for each launch what the driver said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from tests.corpus.launches import SOURCE, FuzzedLaunch, fuzzed_launches, fuzzed_program
from tests.gpu.compile_all import compile_all

from threadloom.backends.base import Compiled, LaunchError
from threadloom.backends.cuda import CudaBackend
from threadloom.backends.cuda.loaded import loaded
from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.message import literal

COUNT, SEED = 2_000, 20
ELEMENTS = 1 << 16


def collect(_out: Path) -> dict[str, Any]:
    """Make every launch and note the driver's words."""
    names = sorted({launched.kernel for launched in fuzzed_launches(COUNT, SEED)})
    compile_all([fuzzed_program(names[0])])
    driver = _Driver(CudaBackend(0), names)
    words: list[str] = []
    rows = [_row(launched, said, words) for launched, said in driver.launched()]
    ran = sum(row[-1] < 0 for row in rows)
    return {
        "seed": SEED,
        "source": SOURCE,
        "device": asdict(driver.backend.device),
        "resources": {name: asdict(driver.engine[name].resources) for name in names},
        "words": words,
        "columns": ["kernel", "plain", "grid", "block", "shared_bytes", "n", "words"],
        "rows": rows,
        "ok": len(rows) == COUNT,
        "summary": [f"{len(rows)} launches, {ran} ran, {len(rows) - ran} were refused", *words],
    }


def _row(launched: FuzzedLaunch, said: str, words: list[str]) -> list[Any]:
    if said and said not in words:
        words.append(said)
    launch = launched.launch
    return [
        launched.kernel,
        int(launched.plain),
        tuple(launch.grid),
        tuple(launch.block),
        launch.shared_bytes,
        launched.n,
        words.index(said) if said else -1,
    ]


class _Driver:
    """Each kernel twice, so that what is set for one way of launching is not set for the other."""

    def __init__(self, backend: CudaBackend, names: list[str]) -> None:
        self.backend = backend
        self.engine: Mapping[str, Compiled] = {n: self._compiled(n) for n in names}
        self.plain: Mapping[str, Compiled] = {n: self._compiled(n) for n in names}

    def launched(self) -> Iterator[tuple[FuzzedLaunch, str]]:
        """Every launch with the driver's words, none if it ran."""
        for launched in fuzzed_launches(COUNT, SEED):
            values: Values = {"a": np.zeros(ELEMENTS, np.int32), "n": np.int32(launched.n)}
            yield launched, self._words(launched, values)

    def _words(self, launched: FuzzedLaunch, values: Values) -> str:
        try:
            if launched.plain:
                self._launch_plainly(self.plain[launched.kernel], launched.launch, values)
            else:
                self.backend.run(self.engine[launched.kernel], launched.launch, values)
        except LaunchError as error:
            if error.context_lost:
                raise
            return re.sub(r"\((-?\d+, ?)+-?\d+\)", "…", str(error))
        return ""

    def _launch_plainly(self, compiled: Compiled, launch: Launch, values: Values) -> None:
        """Through PyCUDA's own call, without any attribute set."""
        with self.backend._context.current() as cuda:
            memory = cuda.mem_alloc(4 * ELEMENTS)
            function = loaded(compiled).function
            if min(*launch.grid, *launch.block) < 0 or launch.shared_bytes < 0:
                raise LaunchError(literal("An extent below 0 cannot be put to the driver."))
            function(
                memory,
                values["n"],
                grid=tuple(launch.grid),
                block=tuple(launch.block),
                shared=launch.shared_bytes,
            )
            cuda.Context.synchronize()

    def _compiled(self, name: str) -> Compiled:
        return self.backend.compile(fuzzed_program(name))
