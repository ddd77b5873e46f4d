# SPDX-License-Identifier: MIT
from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.run import Run
from threadloom.services.dispatcher import Executor
from threadloom.services.messages.run import RunRequest


class Quiet:
    cancelled = False

    def progress(self, message: object) -> None:
        raise AssertionError(message)

    def check(self) -> None: ...

    def extend_deadline(self, seconds: float | None = None) -> None: ...

    def recycle(self) -> None: ...


def test_the_emulator_asks_no_driver() -> None:
    """Without a driver there are no words of it: the launch is refused before compiling."""
    job = Job(
        "vector_add", "one_block", {"n": 5000}, block=Dim3(5000), engine=EngineChoice.EMULATOR
    )
    executor = Executor()
    said = [executor.answer(RunRequest(job, anyway=anyway), Quiet()) for anyway in (False, True)]
    assert all(isinstance(one, Run) and not one.launched for one in said)
    kinds = [[f.kind for f in one.findings] for one in said if isinstance(one, Run)]
    assert kinds[0] == kinds[1]
    assert "block-too-large" in kinds[0]
    assert "kernel-failed" not in kinds[0]
