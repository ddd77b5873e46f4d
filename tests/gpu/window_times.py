# SPDX-License-Identifier: MIT
"""What a run's times are told with: the whole way, conditions, baselines, another run."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel
from tests.gpu.window_driver import User

from threadloom.model.timing.samples import BASELINES, SeriesKey
from threadloom.presentation.bench.measurement_details import run_details
from threadloom.ui.panels.runs.runs import RunsPane


def breakdown(user: User) -> tuple[bool, str]:
    """Show every step of the run's way; on a GPU they are timed for it."""
    user.store.view_requested.emit(user.view("timings"))
    side = user.timings().run_side
    user.click(side.breakdown)
    if user.has_gpu():
        user.wait(lambda: bool(user.store.run and user.store.run.breakdown))
    steps = side.breakdown_figure.steps
    known = [step for step in steps if step.samples is not None]
    good = len(known) == len(steps) if user.has_gpu() else 0 < len(known) < len(steps)
    told = (
        side.breakdown_figure.sentence or f"{len(known)} of {len(steps)} steps known without a GPU"
    )
    return good and bool(side.breakdown_figure.sentence) == user.has_gpu(), told


def details(user: User) -> tuple[bool, str]:
    """Read how the run was measured."""
    result = user.store.run
    assert result is not None
    side = user.timings().run_side
    if side.breakdown.isChecked():
        user.click(side.breakdown)
    facts = run_details(result)
    side.details_card.show_facts(facts)
    side.details_card.grab().save(str(user.out / "window-details.png"))
    names = [fact.name for one in facts for fact in one.rows]
    gpu = {"Empty kernel", "SM clock", "Temperature", "Samples discarded"}
    good = gpu <= set(names) if user.has_gpu() else not gpu & set(names)
    told = "; ".join(f"{f.name} {f.value}" for one in facts[:1] for f in one.rows)
    return good, told


def baselines(user: User) -> tuple[bool, str]:
    """Choose every baseline, and run."""
    user.store.set_baselines(BASELINES)
    result = user.result_of(lambda: user.click(user.areas.toolbar.run))
    labels = [str(timing.label) for timing in result.timings if timing.key in BASELINES]
    keys = {timing.key for timing in result.timings}
    wanted = {SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY}
    user.store.set_baselines((SeriesKey.C_LOOP, SeriesKey.NUMPY))
    return wanted <= keys and user.is_measured(result), "; ".join(labels)


def compare(user: User) -> tuple[bool, str]:
    """Run twice more and hold the last two runs against each other."""
    for block in ("256", "64"):
        user.result_of(lambda block=block: _run_with(user, block))  # type: ignore[misc]
    user.store.view_requested.emit(user.view("runs"))
    pane = user.areas.tabs.panes[user.view("runs")]
    assert isinstance(pane, RunsPane)
    chosen = QItemSelectionModel.SelectionFlag
    model = pane.table.selectionModel()
    model.clear()
    for row in (0, 1):
        model.select(pane.model.index(row, 0), chosen.Select | chosen.Rows)
    rows = pane.comparison.rows
    told = "; ".join(f"{row[0]}: {row[3]}" for row in rows)
    return pane.comparison.isVisible() and len(rows) >= 3, f"{pane._words.text()} {told}"


def _run_with(user: User, block: str) -> None:
    user.enter("block.x", block)
    user.click(user.areas.toolbar.run)
