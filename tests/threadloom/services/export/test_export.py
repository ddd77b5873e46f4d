# SPDX-License-Identifier: MIT
from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import Message
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timeline import BlockTimeline
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey, Timing
from threadloom.services.export import (
    BlocksRecord,
    RecordError,
    TimingsRecord,
    read_csv,
    read_json,
    write_csv,
    write_json,
)
from threadloom.services.export.blocks import TimelineSummary
from threadloom.services.export.document import document_of
from threadloom.services.export.table import from_table, to_table
from threadloom.services.export.write import to_csv, to_json
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint, LaunchSweepResult
from threadloom.services.messages.sweep import BreakEven, SweepResult

JOB = Job(
    "matmul",
    "naive",
    {"m": 64, "n": 64, "k": 64},
    block=Dim3(16, 16),
    source='// "quoted", and\n# odd\n__global__ void k() {}\n',
)
NUMPY = Series(
    SeriesKey.NUMPY,
    Message('NumPy 2.4, "2" threads'),
    Provenance.MEASURED,
    Engine.HOST,
    "Some CPU, 2 cores",
    Message("no transfers"),
    (
        Point(64, Samples((1e-5, 3.3333333333333335e-05, 2e-5, 1.1e-5), converged=False)),
        Point(128, Samples((0.1 + 0.2,), cold=True)),
        Point(256, None, Message("One run would take about 25 s, over the limit of 10 s.")),
    ),
)
KERNEL = replace(
    NUMPY,
    key=SeriesKey.KERNEL,
    label=Message("Kernel, RTX 4090"),
    provenance=Provenance.MODELED,
    engine=Engine.GPU,
    points=(Point(64, Samples((2e-6,))), Point(128, Samples((3e-6,)))),
)
SWEEP = SweepResult(
    job=JOB,
    launch_text=Message("16 × 16 threads per block, grid follows size"),
    axis=Message("m = n = k"),
    series=(NUMPY, KERNEL),
    break_even=(
        BreakEven(Message("NumPy"), None),
        BreakEven(Message("C loop"), 123.456, 100.0, None),
    ),
    environment={"device": "RTX 4090", "date": "2026-01-01T00:00:00+00:00", "seed": "0"},
    all_match=True,
    complete=False,
)
RUN = TimingsRecord(
    job=JOB,
    launch=Launch(Dim3(4, 4), Dim3(16, 16), 2048),
    engine=Engine.EMULATOR,
    device="RTX 4090",
    timings=(
        Timing(
            SeriesKey.KERNEL, Message("Kernel"), Samples((1e-6, 2e-6)), Provenance.MEASURED, "H200"
        ),
        Timing(
            SeriesKey.KERNEL,
            Message("Kernel"),
            Samples((3e-6,), cold=True),
            Provenance.MEASURED,
            "H",
        ),
    ),
    environment={"cpu": "µ-CPU"},
)
WATCHED = Samples(
    (1e-6, 2e-6),
    method=Message("mean of 40 launches in a replayed CUDA graph"),
    dropped=3,
    gpu_states=GpuStates((GpuState(1980, 3201, 38), GpuState(1410, None, 80, ("power cap",)))),
)


def test_what_was_dropped_and_why_is_kept_in_json(tmp_path: Path) -> None:
    timing = Timing(SeriesKey.KERNEL, Message("Kernel"), WATCHED, Provenance.MEASURED, "H200")
    record = replace(RUN, timings=(timing,))
    write_json(record, tmp_path / "a.json")
    assert read_json(tmp_path / "a.json") == record
    plain = json.loads((tmp_path / "a.json").read_text("utf-8"))["timings"][0]
    assert plain["dropped"] == 3
    assert plain["conditions"][1]["throttling"] == ["power cap"]


@pytest.mark.parametrize("record", [SWEEP, RUN], ids=["sweep", "run"])
def test_read_back_it_is_the_same(record: SweepResult | TimingsRecord, tmp_path: Path) -> None:
    write_json(record, tmp_path / "a.json")
    write_csv(record, tmp_path / "a.csv")
    assert read_json(tmp_path / "a.json") == record
    assert read_csv(tmp_path / "a.csv") == record


def test_a_row_is_a_measurement_and_its_median_is_that_of_the_json(tmp_path: Path) -> None:
    write_csv(SWEEP, tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text("utf-8").splitlines()
    table = [line for line in lines if not line.startswith("# ")]
    rows = [row for row in csv.DictReader(table) if row["time_s"]]
    assert len(rows) == 4 + 1 + 1 + 1
    for series in document_of(SWEEP)["series"]:
        for point in series["points"]:
            mine = [
                row
                for row in rows
                if (row["series"], row["size"]) == (series["key"], str(point["size"]))
            ]
            raw = [float(row["time_s"]) for row in mine]
            assert raw == point["samples_s"]
            assert {float(row["median_s"]) for row in mine} == ({median(raw)} if raw else set())
            if raw:
                assert point["median_s"] == median(raw)


def test_a_table_of_a_former_version_is_read(tmp_path: Path) -> None:
    added = {"converged", "timer_resolution_s"}
    lines = to_csv(SWEEP).splitlines()
    comments = [line for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(lines[len(comments) :]))
    former = [column for column in rows[0] if column not in added]
    text = io.StringIO()
    writer = csv.DictWriter(text, former, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path = tmp_path / "former.csv"
    path.write_text("\n".join([*comments, text.getvalue()]), "utf-8")
    assert read_csv(path) == SWEEP


def test_the_context_stands_before_the_table(tmp_path: Path) -> None:
    write_csv(SWEEP, tmp_path / "a.csv")
    head = (tmp_path / "a.csv").read_text("utf-8").partition("\nseries,label")[0]
    for part in ("# format", "RTX 4090", '"seed": 0', "16 × 16 threads", "2026-01-01"):
        assert part in head


@given(st.lists(st.floats(1e-9, 1e3), min_size=1, max_size=8), st.text(max_size=20))
def test_any_samples_and_label_survive_the_table(seconds: list[float], label: str) -> None:
    label = "".join(c for c in label if c.isprintable())
    timing = Timing(
        SeriesKey.TOTAL, Message(label), Samples(tuple(seconds)), Provenance.EMULATED, "d"
    )
    (back,) = from_table(to_table(replace(RUN, timings=(timing,))))["timings"]
    assert back["samples_s"] == seconds
    assert back["label"] == label


def test_strict_json_is_written(tmp_path: Path) -> None:
    write_json(SWEEP, tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text("utf-8")
    assert "NaN" not in text
    assert json.loads(text)["complete"] is False


@pytest.mark.parametrize("text", ["", "{}", '{"format": "x", "version": 1}', "a,b\n1,2\n", "[]"])
def test_something_else_is_refused_with_the_reason(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text(text)
    for read in (read_csv, read_json):
        with pytest.raises(RecordError, match="other"):
            read(path)


def test_a_newer_version_is_refused_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document_of(SWEEP) | {"version": 7}))
    with pytest.raises(RecordError, match="version 7"):
        read_json(path)


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")

    def full(_path: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_csv(SWEEP, path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


def test_blocks_are_written_with_their_warps_where_those_are_known() -> None:
    line = BlockTimeline(
        sm=np.array([5, 6], dtype=np.int32),
        start_s=np.array([0.0, 32e-9]),
        end_s=np.array([64e-9, 96e-9]),
        wave=np.array([0, 0], dtype=np.int32),
        slots=8,
        waves=1,
        duration_s=96e-9,
        provenance=Provenance.MEASURED,
        blocks=4,
        stride=2,
    )
    warps = replace(
        line,
        warp_start_s=np.array([[0.0, 1e-9], [32e-9, 33e-9]]),
        warp_end_s=np.array([[60e-9, 64e-9], [96e-9, 90e-9]]),
    )
    launch = Launch(Dim3(4), Dim3(64))
    record = BlocksRecord(
        JOB, launch, "NVIDIA H200", TimelineSummary.of(line, 132), line, {"gpu": "NVIDIA H200"}
    )
    document = json.loads(to_json(record))
    assert document["block"] == [0, 2]
    assert document["sm"] == [5, 6]
    assert document["timeline"]["most_resident"] == 1
    assert document["timeline"]["most_warps_resident"] is None
    rows = [r for r in to_csv(replace(record, each=warps)).splitlines() if r[0] != "#"]
    assert rows[:3] == [
        "block,warp,sm,wave,start_s,end_s",
        "0,0,5,0,0.0,6e-08",
        "0,1,5,0,1e-09,6.4e-08",
    ]
    assert len(rows) == 5


def _launch(x: int, *seconds: float) -> LaunchPoint:
    return LaunchPoint(
        LaunchChoice("naive", Dim3(x, 2)),
        Launch(Dim3(4), Dim3(x, 2), 64) if seconds else None,
        Samples(seconds, converged=False) if seconds else None,
        Provenance.MEASURED,
        'H200, "quoted"',
        matches=True if seconds else None,
        warps_per_sm=64 if seconds else None,
        skipped=Message("" if seconds else "too, large"),
    )


LAUNCHES = LaunchSweepResult(
    JOB, (_launch(32, 1e-6, 2e-6), _launch(64, 3e-6), _launch(2048)), {"device": "H200"}, False
)


def test_a_sweep_over_launches_comes_back_from_both_forms(tmp_path: Path) -> None:
    write_json(LAUNCHES, tmp_path / "a.json")
    write_csv(LAUNCHES, tmp_path / "a.csv")
    assert read_json(tmp_path / "a.json") == LAUNCHES
    assert read_csv(tmp_path / "a.csv") == LAUNCHES


def test_a_launch_that_the_variant_chose_stays_without_a_block(tmp_path: Path) -> None:
    own = replace(LAUNCHES.points[0], choice=LaunchChoice("naive"))
    record = replace(LAUNCHES, points=(own,))
    write_csv(record, tmp_path / "a.csv")
    assert read_csv(tmp_path / "a.csv") == record
