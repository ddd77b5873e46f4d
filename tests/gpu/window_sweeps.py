# SPDX-License-Identifier: MIT
"""Sweeps over blocks and variants in the window, by mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.gpu.person import Person

from threadloom.services.record.launches import launch_sweep_document
from threadloom.services.record.write import to_csv
from threadloom.ui.store import LaunchSweep, Over

SHAPES = 27
SIZE = 512


def blocks(person: Person) -> tuple[bool, str]:
    """Time the product's block shapes, see them as a heat map, and click on the fastest."""
    found = _swept(person, Over.BLOCK)
    (person.out / "window-blocks.csv").write_text(to_csv(found.result), "utf-8")
    launches = person.timings().sweep_side.area.launches
    cells = launches.cells()
    first = next(cell for cell in cells if cell.is_first)
    scale = person.session.appearance.text_scale
    person.click_at(launches, first.rect.center() * scale)
    taken = person.store.workspace.block == first.point.choice.block
    good = len(found.result.points) == SHAPES and len(cells) == SHAPES
    return good and taken and _right(person, found), launches.figure.sentence


def variants(person: Person) -> tuple[bool, str]:
    """Time every variant of the product with its own block."""
    found = _swept(person, Over.VARIANT)
    figure = person.timings().sweep_side.figure
    good = len(found.result.points) >= 2 and figure.over_variants
    return good and _right(person, found), figure.sentence


def stopped(person: Person) -> tuple[bool, str]:
    """Stop a sweep over blocks when some points are there, and go on from them."""
    _choose(person, Over.BLOCK)
    person.store.forget_sweep()
    area = person.timings().sweep_side.area
    person.click(area.button)
    person.wait(lambda: _points(person) > 0)
    person.click(area.button)
    person.wait_until_idle()
    kept = person.store.launch_sweeps[Over.BLOCK].result
    shown = area.button.text()
    person.click(area.button)
    person.wait(lambda: _points(person) > len(kept.points) or not _running(person))
    person.wait_until_idle()
    whole = person.store.launch_sweeps[Over.BLOCK].result
    known = {point.choice: point for point in whole.points}
    same = all(known[point.choice].samples == point.samples for point in kept.points)
    told = f"{len(kept.points)} of {len(whole.points)} kept, then “{shown}”"
    return 0 < len(kept.points) < SHAPES and same and whole.complete, told


def compare_gpus(person: Person) -> tuple[bool, str]:
    """Share a sweep over blocks between all GPUs; with one GPU there is nothing to share."""
    here = person.store.devices
    gpus = len(here.gpus) if here is not None else 0
    if gpus < 2:
        return True, f"{gpus} GPUs: nothing to share"
    _choose(person, Over.BLOCK)
    person.store.forget_sweep()
    settings = person.timings().sweep_side.area.settings
    settings.share.setChecked(True)
    found = _swept(person, Over.BLOCK)
    settings.share.setChecked(False)
    person.store.sweep_choices = replace(person.store.sweep_choices, all_gpus=False)
    good = len(found.result.points) == SHAPES and found.result.complete
    return good and _right(person, found), f"{gpus} GPUs, {len(found.result.points)} blocks"


def _swept(person: Person, over: Over) -> LaunchSweep:
    _choose(person, over)
    person.click(person.timings().sweep_side.area.button)
    person.wait(lambda: over in person.store.launch_sweeps and not _running(person))
    person.wait_until_idle()
    return person.store.launch_sweeps[over]


def _choose(person: Person, over: Over) -> None:
    """Go to the sweep of a product of usual size, over blocks or variants."""
    person.wait_until_idle()
    person.store.view_requested.emit(person.view("timings"))
    sizes = dict.fromkeys(("m", "n", "k"), SIZE)
    person.store.change(variant="naive", sizes=sizes, grid_follows_size=True)
    picker: Any = person.timings().sweep_side.area.over
    picker.setCurrentIndex(picker.findData(over.value))
    picker.activated.emit(picker.currentIndex())
    person.wait(lambda: person.store.over is over)


def _points(person: Person) -> int:
    sweep = person.store.launch_sweeps.get(Over.BLOCK)
    return len(sweep.result.points) if sweep is not None else 0


def _running(person: Person) -> bool:
    sweep = person.store.launch_sweeps.get(person.store.over)
    return sweep is not None and sweep.running


def _right(person: Person, sweep: LaunchSweep) -> bool:
    """Whether every point has a time of the right origin and the right results."""
    assert launch_sweep_document(sweep.result)["points"]
    return all(
        point.samples is not None
        and point.provenance is person.source()
        and point.matches is not False
        for point in sweep.result.points
    )
