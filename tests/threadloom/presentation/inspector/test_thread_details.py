# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.inspector.thread_details import launch_facts, more_than_fit
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.services.devices import device_table
from threadloom.ui.panels.inspector.block_page import BlockPage
from threadloom.ui.panels.inspector.warp_bars import WarpBars
from threadloom.ui.theme.theme import Appearance

RECORD = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"
MOST = "Max blocks per SM"


@pytest.fixture
def model() -> MappingModel:
    """One SM of an H200 where a block ended while of the others one warp was left each."""
    rows = json.loads((RECORD / "timeline-h200.json").read_text("utf-8"))["handed_over"]
    one_sm = next(row["one_sm"] for row in rows if row["name"] == "one block ends")
    start, end = (np.array(one_sm[key]) * 1e-9 for key in ("start_ns", "end_ns"))
    blocks = len(start)
    timeline = BlockTimeline(
        sm=np.zeros(blocks, dtype=np.int32),
        start_s=start.min(axis=1),
        end_s=end.max(axis=1),
        wave=np.zeros(blocks, dtype=np.int32),
        slots=8,
        waves=3,
        duration_s=float(end.max()),
        provenance=Provenance.MEASURED,
        blocks=blocks,
    )
    device = replace(device_table.find("H200"), sm_count=1)
    return MappingModel(
        Launch(Dim3(blocks), Dim3(256)), Phase.RAN, device=device, timeline=timeline
    )


def test_blocks_seen_at_once_stand_beside_those_that_fit(model: MappingModel) -> None:
    facts = {fact.name: fact.value for fact in launch_facts(model)}
    assert facts[MOST] == "14 observed, 8 possible"
    assert "never exceeds the limit" in more_than_fit(model)


def test_nothing_is_seen_in_a_model_or_a_sample(model: MappingModel) -> None:
    line = model.timeline
    assert line is not None
    for other in (replace(line, provenance=Provenance.MODELED), replace(line, stride=2)):
        changed = replace(model, timeline=other)
        assert MOST not in {fact.name for fact in launch_facts(changed)}
        assert more_than_fit(changed) == ""


def test_what_fits_is_not_explained(model: MappingModel) -> None:
    assert model.timeline is not None
    assert more_than_fit(replace(model, timeline=replace(model.timeline, slots=16))) == ""


def test_the_warps_of_a_block_are_shown_where_they_were_recorded(
    model: MappingModel, appearance: Appearance, qtbot: QtBot
) -> None:
    page = BlockPage(appearance)
    qtbot.addWidget(page)
    page.resize(264, 600)
    page.show_block(model, ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0)))
    assert not page.warps.isVisibleTo(page)
    rows = json.loads((RECORD / "timeline-h200.json").read_text("utf-8"))["handed_over"]
    one_sm = next(row["one_sm"] for row in rows if row["name"] == "warps end apart")
    start, end = (np.array(one_sm[key]) * 1e-9 for key in ("start_ns", "end_ns"))
    line = model.timeline
    assert line is not None
    line = replace(line, warp_start_s=start, warp_end_s=end)
    page.show_block(replace(model, timeline=line), ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0)))
    assert page.warps.isVisibleTo(page)
    assert page.warps.accessibleName() == "8 warps: 10.3 µs to 81.1 µs."
    assert page.warps.toolTip().splitlines()[0] == "warp 0: 0 s to 10.3 µs"


def test_bars_are_as_long_as_the_warps_took(appearance: Appearance, qtbot: QtBot) -> None:
    bars = WarpBars(appearance)
    qtbot.addWidget(bars)
    bars.show_warps(np.zeros(8), np.arange(1, 9) * 10e-6)
    bars.resize(bars.sizeHint())
    image = bars.grab().toImage()
    kernel = appearance.color("s-kernel").rgb()
    lengths = [
        sum(image.pixel(x, 6 * warp + 1) == kernel for x in range(image.width()))
        for warp in range(8)
    ]
    assert lengths == pytest.approx([image.width() * n / 8 for n in range(1, 9)], abs=1)
