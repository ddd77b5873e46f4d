# SPDX-License-Identifier: MIT
"""What a run's times are told with: the whole way, conditions, baselines, another run."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel
from tests.gpu.person import Person

from threadloom.model.samples import BASELINES, SeriesKey
from threadloom.ui.tabs.runs.runs import RunsPane
from threadloom.ui.tabs.timings.details import run_details


def way(person: Person) -> tuple[bool, str]:
    """Show every step of the run's way; on a GPU they are timed for it."""
    person.store.view_requested.emit(person.view("timings"))
    side = person.timings().run_side
    person.click(side.way)
    if person.has_gpu():
        person.wait(lambda: bool(person.store.result and person.store.result.journey))
    steps = side.way_figure.steps
    known = [step for step in steps if step.samples is not None]
    good = len(known) == len(steps) if person.has_gpu() else 0 < len(known) < len(steps)
    told = side.way_figure.sentence or f"{len(known)} of {len(steps)} steps known without a GPU"
    return good and bool(side.way_figure.sentence) == person.has_gpu(), told


def details(person: Person) -> tuple[bool, str]:
    """Read how the run was measured."""
    result = person.store.result
    assert result is not None
    side = person.timings().run_side
    if side.way.isChecked():
        person.click(side.way)
    facts = run_details(result)
    side.details_card.show_facts(facts)
    side.details_card.grab().save(str(person.out / "window-details.png"))
    names = [fact.name for one in facts for fact in one.rows]
    gpu = {"An empty kernel takes", "SM clock", "Temperature", "Samples left out for it"}
    good = gpu <= set(names) if person.has_gpu() else not gpu & set(names)
    told = "; ".join(f"{f.name} {f.value}" for one in facts[:1] for f in one.rows)
    return good, told


def baselines(person: Person) -> tuple[bool, str]:
    """Choose every baseline, and run."""
    person.store.set_baselines(BASELINES)
    result = person.result_of(lambda: person.click(person.areas.toolbar.run))
    labels = [timing.label for timing in result.timings if timing.key in BASELINES]
    keys = {timing.key for timing in result.timings}
    wanted = {SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY}
    person.store.set_baselines((SeriesKey.C_LOOP, SeriesKey.NUMPY))
    return wanted <= keys and person.is_measured(result), "; ".join(labels)


def compare(person: Person) -> tuple[bool, str]:
    """Run twice more and hold the last two runs against each other."""
    for block in ("256", "64"):
        person.result_of(lambda block=block: _run_with(person, block))  # type: ignore[misc]
    person.store.view_requested.emit(person.view("runs"))
    pane = person.areas.tabs.panes[person.view("runs")]
    assert isinstance(pane, RunsPane)
    chosen = QItemSelectionModel.SelectionFlag
    model = pane.table.selectionModel()
    model.clear()
    for row in (0, 1):
        model.select(pane.model.index(row, 0), chosen.Select | chosen.Rows)
    rows = pane.comparison.rows
    told = "; ".join(f"{row[0]}: {row[3]}" for row in rows)
    return pane.comparison.isVisible() and len(rows) >= 3, f"{pane._words.text()} {told}"


def _run_with(person: Person, block: str) -> None:
    person.enter("block.x", block)
    person.click(person.areas.toolbar.run)
