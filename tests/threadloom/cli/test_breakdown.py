# SPDX-License-Identifier: MIT
"""What is told of a way through a GPU, from what an H200 recorded."""

from __future__ import annotations

import io
import json
from typing import Any

from rich.console import Console
from tests.paths import DATA_FOLDER
from tests.run_records import make_run, with_facts

from threadloom.cli.result_output import rich_table
from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.provenance import Engine
from threadloom.model.run import Measurement
from threadloom.model.timing.breakdown import Breakdown, PinnedBreakdown
from threadloom.model.timing.samples import Samples
from threadloom.presentation.bench.breakdown_text import breakdown_table
from threadloom.services.devices import device_table
from threadloom.services.export.converter import from_plain, to_plain
from threadloom.text import duration

RECORD = DATA_FOLDER / "gpu" / "copies-h200.json"


RUN = make_run(
    Job("vector_add", "grid", {"n": 1}),
    Launch(Dim3(1), Dim3(256)),
    Engine.GPU,
    device_table.find("H200"),
)


def breakdowns() -> list[Breakdown]:
    rows = json.loads(RECORD.read_text("utf-8"))["breakdowns"]
    return [breakdown(row) for row in rows]


def breakdown(row: dict[str, Any]) -> Breakdown:
    return Breakdown(
        bytes_in=row["bytes_in"],
        bytes_out=row["bytes_out"],
        compile_s=row["compile_s"],
        from_cache=row["from_cache"],
        first_launch_s=row["first_launch_s"],
        allocate=Samples((row["allocate_s"],)),
        h2d_pageable=Samples((row["copy_in_pageable_s"],)),
        kernel=Samples((row["kernel_s"],)),
        d2h_pageable=Samples((row["copy_out_pageable_s"],)),
        pinned=PinnedBreakdown(
            pin_s=row["pin_s"],
            h2d=Samples((row["copy_in_pinned_s"],)),
            d2h=Samples((row["copy_out_pinned_s"],)),
            in_turn=Samples((row["in_turn_s"],)),
            overlapped=Samples((row["overlapped_s"],)),
            streams=3,
        ),
    )


def test_every_step_has_its_row_and_the_copies_are_what_costs() -> None:
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(rich_table(breakdown_table(with_facts(RUN, breakdown=breakdowns()[-1]))))
    text = console.export_text()
    for words in ("Compile", "First launch", "pageable memory", "pinned memory", "overlapped"):
        assert words in text
    recorded = json.loads(RECORD.read_text("utf-8"))["breakdowns"][-1]
    assert duration(recorded["copy_in_pageable_s"]) in text
    assert "800 MB" in text


def test_json_has_every_step_in_seconds() -> None:
    for one in breakdowns():
        plain = to_plain(one)
        assert plain is not None
        assert plain["h2d_pageable"]["median_s"] == one.h2d_pageable.median_s
        assert plain["copy_in_pageable"] == plain["h2d_pageable"]
        assert plain["pinned"]["copy_out"] == plain["pinned"]["d2h"]
        assert plain["pinned"]["overlapped"]["median_s"] < plain["pinned"]["in_turn"]["median_s"]
    assert to_plain(None) is None


def test_the_former_name_is_written_too() -> None:
    plain = to_plain(Measurement(breakdown=breakdowns()[-1]))
    assert plain["journey"] == plain["breakdown"]


def test_former_names_are_read() -> None:
    one = breakdowns()[-1]
    plain = to_plain(one)
    for steps in (plain, plain["pinned"]):
        for name in [name for name in steps if name.startswith(("h2d", "d2h"))]:
            del steps[name]
    assert from_plain(plain, Breakdown) == one
