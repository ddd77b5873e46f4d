# SPDX-License-Identifier: MIT
"""Painting the mapping: redraw after a new result, and frames of the animation.

The results are real observed runs of the emulator. Painted is the view at 1280 × 720, off screen,
into an image; what the worker takes is not counted (see ``knob.py``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from threadloom.model.job import EngineChoice

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.run import Run
from threadloom.services.dispatcher import Executor
from threadloom.services.messages.run import RunRequest
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Theme

FRAMES = 200
REDRAWS = 10
SIZE = (1280, 720)
REDRAW_LIMIT_MS = 60.0
FRAME_LIMIT_MS = 16.0


@dataclass(frozen=True)
class Case:
    """One launch that is drawn."""

    name: str
    operation: str
    sizes: Mapping[str, int]
    block: Dim3
    ratio: float = 1.0


CASES = (
    Case("vector add, n = 1,000,000", "vector_add", {"n": 1_000_000}, Dim3(256)),
    Case("the same, 2 pixels a point", "vector_add", {"n": 1_000_000}, Dim3(256), 2.0),
    Case("matrix add, 1,000 × 1,000", "matrix_add", {"rows": 1000, "cols": 1000}, Dim3(16, 16)),
    Case("tensor add, 128³", "tensor_add", {"depth": 128, "rows": 128, "cols": 128}, Dim3(8, 8, 4)),
)


class Quiet:
    """A worker's context that nobody listens to."""

    cancelled = False

    def progress(self, message: object) -> None:
        """Drop it."""

    def check(self) -> None:
        """Nobody cancels."""

    def extend_deadline(self, seconds: float | None = None) -> None:
        """There is no deadline."""

    def recycle(self) -> None:
        """There is no process to replace."""


def run(executor: Executor, case: Case) -> Run:
    """Compile, launch and observe."""
    variant = {"vector_add": "grid", "matrix_add": "grid"}.get(case.operation, "")
    names = {"variant": variant} if variant else {}
    base = Workspace(operation=case.operation, sizes=case.sizes, block=case.block, **names)  # type: ignore[arg-type]
    job: Job = replace(base.job(), engine=EngineChoice.EMULATOR)
    if not variant:
        job = replace(job, variant=_first_variant(case.operation))
    answer = executor.answer(RunRequest(job, timings=False), Quiet())
    assert isinstance(answer, Run)
    assert answer.matches
    return answer


def _first_variant(operation: str) -> str:
    from threadloom_kernels import discover

    return discover()[operation].variants[0].name


def milliseconds(work: Callable[[], None]) -> float:
    """How long something takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def redraws(view: MappingView, store: Store, result: Run, ratio: float) -> list[float]:
    """Time from a result's arrival to the painted canvas; each result is a new value."""
    image = _image(view, ratio)
    other = replace(result, job=replace(result.job, seed=1))
    results = [replace(one) for one in (result, other) * (REDRAWS // 2)]

    def draw(one: Run) -> None:
        store.set_run(one)
        _paint(view, image, ratio)

    return [milliseconds(lambda one=one: draw(one)) for one in results]  # type: ignore[misc]


def frames(view: MappingView, store: Store, ratio: float) -> list[float]:
    """Time of each frame of a whole animation."""
    image = _image(view, ratio)
    duration = view.playback.duration_s

    def draw(share: float) -> None:
        store.set_playhead(share * duration)
        _paint(view, image, ratio)

    return [milliseconds(lambda n=n: draw((n + 1) / FRAMES)) for n in range(FRAMES)]  # type: ignore[misc]


def _image(view: MappingView, ratio: float) -> QImage:
    image = QImage(view.canvas.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    return image


def _paint(view: MappingView, image: QImage, ratio: float) -> None:
    painter = QPainter(image)
    view.canvas.paint(painter, ratio)
    painter.end()


def main() -> None:
    """Print a line for each case."""
    application = QApplication([])
    executor = Executor()
    for case in CASES:
        result = run(executor, case)
        store = Store(Workspace(sizes={"n": 1}))
        view = MappingView(store, Appearance(Theme.load("dark")))
        view.resize(*SIZE)
        view.set_reduced_motion(True)
        view.show()
        application.processEvents()
        redrawn = sorted(redraws(view, store, result, case.ratio))
        played = sorted(frames(view, store, case.ratio))
        worst = played[int(0.95 * len(played))]
        print(
            f"{case.name}: redraw {redrawn[len(redrawn) // 2]:.0f} ms (up to {redrawn[-1]:.0f}, "
            f"limit {REDRAW_LIMIT_MS:.0f}); frame {played[len(played) // 2]:.1f} ms, "
            f"95 % within {worst:.1f} ms (limit {FRAME_LIMIT_MS:.0f})",
            flush=True,
        )
        view.close()


if __name__ == "__main__":
    main()
