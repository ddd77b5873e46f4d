# SPDX-License-Identifier: MIT
"""The window on a GPU, by mouse and keyboard: runs, sweeps, times, export; with pictures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.gpu.window_driver import User
from tests.gpu.window_sweeps import blocks, compare_gpus, stopped, variants
from tests.gpu.window_times import baselines, breakdown, compare, details

from threadloom.model.dim3 import Dim3
from threadloom.model.provenance import Engine
from threadloom.services.messages.sweep import SweepResult

SWEEP = (10**3, 10**4, 10**5, 10**6, 10**7)
Step = Callable[[User], tuple[bool, str]]


def collect(out: Path) -> dict[str, Any]:
    """Walk through the window; each step says whether it did what it should."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    user = User(out)
    try:
        steps = [user.step(name, act) for name, act in STEPS]
    finally:
        user.close()
    wrong = [step for step in steps if not step["ok"]]
    summary = [f"{len(steps)} steps, {len(wrong)} not as expected"]
    summary += [
        f"{'' if step['ok'] else 'NOT OK '}{step['step']} {step['seconds']:.1f} s: {step['words']}"
        for step in steps
    ]
    return {"steps": steps, "ok": not wrong, "summary": summary}


def run(user: User) -> tuple[bool, str]:
    """Press Run."""
    result = user.result_of(lambda: user.click(user.areas.toolbar.run))
    return user.is_measured(result), user.told(result)


def live(user: User) -> tuple[bool, str]:
    """Change the block, and see the run follow by itself."""
    workspace = user.store.workspace
    user.store.set_workspace(workspace.with_(live=True))
    begin = time.perf_counter()
    result = user.result_of(lambda: user.enter("block.x", "512"))
    first = time.perf_counter() - begin
    user.wait_until_idle()
    begin = time.perf_counter()
    again = user.result_of(lambda: user.enter("block.x", "128"))
    second = time.perf_counter() - begin
    good = result.launch.block == Dim3(512) and again.launch.block == Dim3(128)
    user.store.set_workspace(user.store.workspace.with_(live=False))
    return good and user.is_measured(again), f"{first:.2f} s and {second:.2f} s to a result"


def sweep(user: User) -> tuple[bool, str]:
    """Time many sizes."""
    user.wait_until_idle()
    user.store.view_requested.emit(user.view("timings"))
    user.store.sweep_requested.emit(SWEEP)
    user.wait(lambda: isinstance(user.store.sweep, SweepResult))
    user.wait_until_idle()
    sweep = user.store.sweep
    assert isinstance(sweep, SweepResult)
    told = [f"{s.label} {s.provenance} {len(s.points)}" for s in sweep.series]
    kernel = [s for s in sweep.series if s.engine is Engine.GPU]
    expected = user.source()
    good = sweep.complete and all(s.provenance is expected for s in kernel)
    return good and sweep.all_match is True, "; ".join(told)


def timeline(user: User) -> tuple[bool, str]:
    """Look at the SM timeline in the midst of the launch."""
    user.store.view_requested.emit(user.view("timeline"))
    line = user.store.run.timeline if user.store.run is not None else None
    if line is None:
        return False, "there is no timeline"
    user.store.set_playhead(0.45 * line.duration_s)
    expected = user.source()
    told = f"{line.blocks:,} blocks, {line.duration_s * 1e6:.1f} µs, slowed {line.slowed}"
    return line.provenance is expected, f"{line.provenance}: {told}"


def product(user: User) -> tuple[bool, str]:
    """Pick a matrix product, run it and look at its timeline."""
    picker = user.areas.toolbar.operation
    picker.setCurrentIndex(picker.findText("Matrix multiply"))
    picker.activated.emit(picker.currentIndex())
    result = user.result_of(lambda: user.click(user.areas.toolbar.run))
    _good, told = timeline(user)
    return user.is_measured(result), f"{user.told(result)}; {told}"


def export(user: User) -> tuple[bool, str]:
    """Write the figures of all sweeps, each with its data."""
    from threadloom.ui.dialogs.export import ExportDialog

    user.click(user.areas.toolbar.export)
    dialog = user.session.window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    dialog.folder.setText(str(user.out))
    told = []
    for key in ("sweep", "blocks", "variants"):
        user.store.export_requested.emit(key)
        dialog.form.format.set_value("svg")
        dialog.form.format.chosen.emit("svg")
        dialog.export()
        user.wait(lambda: dialog.message.text().startswith("Wrote"))
        told.append(dialog.message.text())
    dialog.close_dialog()
    return len(list(user.out.glob("*.svg"))) >= 3, " ".join(told)


def refused(user: User) -> tuple[bool, str]:
    """Ask for more threads than a block can have, and read why not."""
    user.wait_until_idle()
    workspace = user.store.workspace
    user.store.set_workspace(workspace.with_(block=Dim3(64, 64)))
    result = user.result_of(lambda: user.click(user.areas.toolbar.run))
    messages = [str(finding.message) for finding in result.findings]
    return not result.launched and bool(messages), "; ".join(messages[:2])


STEPS: tuple[tuple[str, Step], ...] = (
    ("run", run),
    ("live", live),
    ("the whole way", breakdown),
    ("how it was measured", details),
    ("baselines", baselines),
    ("compare two runs", compare),
    ("sweep", sweep),
    ("timeline", timeline),
    ("timeline of a product", product),
    ("sweep over block shapes", blocks),
    ("stop and go on", stopped),
    ("sweep over variants", variants),
    ("sweep shared by GPUs", compare_gpus),
    ("export", export),
    ("a launch that is refused", refused),
)
