# SPDX-License-Identifier: MIT
"""What the Timings tab shows of a sweep over launches: figure, caption, key figures."""

from __future__ import annotations

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.presentation.figures.launch_marks import Marks
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint
from threadloom.text import _
from threadloom.ui.app.sweeping import alike
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.state.store import LaunchSweep, Over, Store


def shown_sweep(store: Store, operation: Operation | None) -> LaunchSweep | None:
    """The sweep of the chosen kind, while it is one of the chosen kernel."""
    sweep = store.launch_sweeps.get(store.over)
    if sweep is None or operation is None or sweep.result.job.operation != operation.name:
        return None
    other = sweep.result.job.variant != store.workspace.variant
    return None if sweep.over is Over.BLOCK and other else sweep


def launch_figure(store: Store, sweep: LaunchSweep, operation: Operation) -> LaunchSweepFigure:
    """The figure with the place of what is still to come, and with what the knobs stand at."""
    workspace = store.workspace
    block = workspace.block if sweep.over is Over.BLOCK else None
    return LaunchSweepFigure(
        sweep.result,
        titles={one.name: _(one.title) for one in operation.variants},
        wanted=_wanted(sweep),
        marks=Marks(chosen=LaunchChoice(workspace.variant, block)),
        faded=not alike(store, sweep.result.job, operation, sweep.over),
    )


def _wanted(sweep: LaunchSweep) -> tuple[LaunchPoint, ...]:
    """Launches without a time yet; of an interrupted sweep, too, so that nothing moves."""
    known = {point.choice for point in sweep.result.points}
    return tuple(
        LaunchPoint(choice, None, None, Provenance.MODELED, "")
        for choice in sweep.choices
        if choice not in known
    )
