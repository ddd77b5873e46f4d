# SPDX-License-Identifier: MIT
"""What a timeline says of all blocks together, with what a GPU recorded."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline

RECORD = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"


@pytest.fixture(scope="module")
def record() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((RECORD / "timeline-h200.json").read_text("utf-8"))
    return found


def recorded(row: Mapping[str, Any]) -> BlockTimeline:
    start, end = (np.array(row[key]) * 1e-9 for key in ("start_ns", "end_ns"))
    blocks = (start, end) if start.ndim == 1 else (start.min(axis=1), end.max(axis=1))
    return BlockTimeline(
        sm=np.array(row.get("sm", np.zeros(len(start))), dtype=np.int32),
        start_s=blocks[0],
        end_s=blocks[1],
        wave=np.zeros(len(start), dtype=np.int32),
        slots=row.get("slots", 8),
        waves=1,
        duration_s=float(end.max()),
        provenance=Provenance.MEASURED,
        blocks=len(start),
        warp_start_s=start if start.ndim > 1 else None,
        warp_end_s=end if end.ndim > 1 else None,
    )


def test_a_gpu_shows_all_its_sms_and_fills_them(record: Mapping[str, Any]) -> None:
    found = recorded(record["recorded"][0])
    busy = found.busy_seconds()
    assert len(busy) == 132
    assert found.most_resident == found.slots // 132 == 8
    assert all(0 < seconds <= found.duration_s for seconds in busy.values())


def test_an_sm_holds_more_blocks_than_fit_where_one_ends_but_never_more_warps(
    record: Mapping[str, Any],
) -> None:
    found = {row["name"]: recorded(row["one_sm"]) for row in record["handed_over"]}
    one = found["one block ends"]
    assert (one.most_resident, one.most_warps_resident) == (14, 64)
    assert found["warps end apart"].most_resident == 8
    assert found["a barrier at the end"].most_resident == 8


def test_no_launch_had_more_warps_on_an_sm_than_fit(record: Mapping[str, Any]) -> None:
    whole = [row for row in record["rows"] if row["stride"] == 1]
    assert len(whole) > 40
    for row in whole:
        assert row["most_warps"] <= row["occupancy"] * row["warps_per_block"], row["name"]
    assert any(row["most_resident"] > row["occupancy"] for row in whole)


def test_what_was_counted_once_goes_along_to_another_process(record: Mapping[str, Any]) -> None:
    found = recorded(record["recorded"][0])
    assert "most_resident" not in vars(found)
    found.count_ahead()
    assert vars(pickle.loads(pickle.dumps(found)))["most_resident"] == 8
