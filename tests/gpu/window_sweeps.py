# SPDX-License-Identifier: MIT
"""Sweeps over blocks and variants in the window, by mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.gpu.window_driver import User

from threadloom.services.export.document import document_of
from threadloom.services.export.write import to_csv
from threadloom.ui.state.store import LaunchSweep, Over

SHAPES = 27
SIZE = 512


def blocks(user: User) -> tuple[bool, str]:
    """Time the product's block shapes, see them as a heat map, and click on the fastest."""
    found = _swept(user, Over.BLOCK)
    (user.out / "window-blocks.csv").write_text(to_csv(found.result), "utf-8")
    launches = user.timings().sweep_side.area.launches
    cells = launches.cells()
    first = next(cell for cell in cells if cell.is_first)
    scale = user.session.appearance.text_scale
    user.click_at(launches, first.rect.center() * scale)
    taken = user.store.workspace.block == first.point.choice.block
    good = len(found.result.points) == SHAPES and len(cells) == SHAPES
    return good and taken and _right(user, found), launches.figure.sentence


def variants(user: User) -> tuple[bool, str]:
    """Time every variant of the product with its own block."""
    found = _swept(user, Over.VARIANT)
    figure = user.timings().sweep_side.figure
    good = len(found.result.points) >= 2 and figure.over_variants
    return good and _right(user, found), figure.sentence


def stopped(user: User) -> tuple[bool, str]:
    """Stop a sweep over blocks when some points are there, and go on from them."""
    _choose(user, Over.BLOCK)
    user.store.forget_sweep()
    area = user.timings().sweep_side.area
    user.click(area.button)
    user.wait(lambda: _points(user) > 0)
    user.click(area.button)
    user.wait_until_idle()
    kept = user.store.launch_sweeps[Over.BLOCK].result
    shown = area.button.text()
    user.click(area.button)
    user.wait(lambda: _points(user) > len(kept.points) or not _running(user))
    user.wait_until_idle()
    whole = user.store.launch_sweeps[Over.BLOCK].result
    known = {point.choice: point for point in whole.points}
    same = all(known[point.choice].samples == point.samples for point in kept.points)
    told = f"{len(kept.points)} of {len(whole.points)} kept, then “{shown}”"
    return 0 < len(kept.points) < SHAPES and same and whole.complete, told


def compare_gpus(user: User) -> tuple[bool, str]:
    """Share a sweep over blocks between all GPUs; with one GPU there is nothing to share."""
    here = user.store.devices
    gpus = len(here.gpus) if here is not None else 0
    if gpus < 2:
        return True, f"{gpus} GPUs: nothing to share"
    _choose(user, Over.BLOCK)
    user.store.forget_sweep()
    settings = user.timings().sweep_side.area.settings
    settings.share.setChecked(True)
    found = _swept(user, Over.BLOCK)
    settings.share.setChecked(False)
    user.store.sweep_choices = replace(user.store.sweep_choices, all_gpus=False)
    good = len(found.result.points) == SHAPES and found.result.complete
    return good and _right(user, found), f"{gpus} GPUs, {len(found.result.points)} blocks"


def _swept(user: User, over: Over) -> LaunchSweep:
    _choose(user, over)
    user.click(user.timings().sweep_side.area.button)
    user.wait(lambda: over in user.store.launch_sweeps and not _running(user))
    user.wait_until_idle()
    return user.store.launch_sweeps[over]


def _choose(user: User, over: Over) -> None:
    """Go to the sweep of a product of usual size, over blocks or variants."""
    user.wait_until_idle()
    user.store.view_requested.emit(user.view("timings"))
    sizes = dict.fromkeys(("m", "n", "k"), SIZE)
    user.store.change(variant="naive", sizes=sizes, grid_follows_size=True)
    picker: Any = user.timings().sweep_side.area.over
    picker.setCurrentIndex(picker.findData(over.value))
    picker.activated.emit(picker.currentIndex())
    user.wait(lambda: user.store.over is over)


def _points(user: User) -> int:
    sweep = user.store.launch_sweeps.get(Over.BLOCK)
    return len(sweep.result.points) if sweep is not None else 0


def _running(user: User) -> bool:
    sweep = user.store.launch_sweeps.get(user.store.over)
    return sweep is not None and sweep.running


def _right(user: User, sweep: LaunchSweep) -> bool:
    """Whether every point has a time of the right origin and the right results."""
    assert document_of(sweep.result)["points"]
    return all(
        point.samples is not None
        and point.provenance is user.source()
        and point.matches is not False
        for point in sweep.result.points
    )
