# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline
from threadloom.services import device_table
from threadloom.ui.inspector.facts import launch_facts, more_than_fit
from threadloom.ui.mapping.subject import Phase, Subject

RECORD = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"
MOST = "Most blocks on an SM"


@pytest.fixture
def subject() -> Subject:
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
    return Subject(Launch(Dim3(blocks), Dim3(256)), Phase.RAN, device=device, timeline=timeline)


def test_blocks_seen_at_once_stand_beside_those_that_fit(subject: Subject) -> None:
    facts = {fact.name: fact.value for fact in launch_facts(subject)}
    assert facts[MOST] == "14 seen, 8 fit"
    assert "never holds more warps" in more_than_fit(subject)


def test_nothing_is_seen_in_a_model_or_a_sample(subject: Subject) -> None:
    line = subject.timeline
    assert line is not None
    for other in (replace(line, provenance=Provenance.MODELLED), replace(line, stride=2)):
        changed = replace(subject, timeline=other)
        assert MOST not in {fact.name for fact in launch_facts(changed)}
        assert more_than_fit(changed) == ""


def test_what_fits_is_not_explained(subject: Subject) -> None:
    assert subject.timeline is not None
    assert more_than_fit(replace(subject, timeline=replace(subject.timeline, slots=16))) == ""
