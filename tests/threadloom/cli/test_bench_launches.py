# SPDX-License-Identifier: MIT
"""``threadloom bench`` over blocks, and sweeps that go on from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from threadloom.cli.application import main
from threadloom.services.export import read_csv, read_json
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.services.messages.sweep import SweepResult

BLOCKS = ("bench", "matmul/naive", "--size", "16", "--vary", "block")


def test_blocks_are_written_in_every_form_and_go_on_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"a.{ending}" for ending in ("svg", "csv", "json")]
    exports = [part for file in files for part in ("--export", str(file))]
    assert main((*BLOCKS, "--blocks", "4,4 8,8", *exports)) == 0
    svg, table, document = files
    assert "8" in svg.read_text("utf-8")
    first = read_csv(table)
    assert isinstance(first, LaunchSweepResult)
    assert read_json(document) == first
    capsys.readouterr()
    resumed = (*BLOCKS, "--blocks", "4,4 8,8 16,4", "--resume", str(table), "--json")
    assert main(resumed) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert [point["block"] for point in points] == [[4, 4, 1], [8, 8, 1], [16, 4, 1]]


def test_sizes_go_on_from_a_table_and_from_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, other = tmp_path / "a.csv", tmp_path / "b.json"
    sizes = ("bench", "vector_add", "--sizes")
    assert main((*sizes, "100,1000", "--export", str(table))) == 0
    earlier = read_csv(table)
    assert isinstance(earlier, SweepResult)
    capsys.readouterr()
    assert main((*sizes, "100,1000,2000", "--resume", str(table), "--json")) == 0
    series = json.loads(capsys.readouterr().out)["series"]
    for one, before in zip(series, earlier.series, strict=True):
        seconds = [tuple(point["samples_s"]) for point in one["points"]]
        assert seconds[:2] == [point.samples.seconds for point in before.points if point.samples]
        assert len(seconds) == 3
    assert main((*BLOCKS, "--blocks", "4,4", "--export", str(other))) == 0
    assert main((*sizes, "100", "--resume", str(other))) == 2
    assert "does not contain a sweep of this kind" in capsys.readouterr().err


def test_devices_must_be_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("bench", "vector_add", "--sizes", "100", "--devices", "first")) == 2
    assert "is not a list of GPUs. Write all, or numbers: 0,1." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("vary", "option", "required"),
    [
        ("block", ("--sizes", "1e3..1e5"), "size"),
        ("block", ("--points", "3"), "size"),
        ("variant", ("--baselines", "all"), "size"),
        ("variant", ("--blocks", "8,8"), "block"),
        ("size", ("--blocks", "8,8"), "block"),
    ],
)
def test_options_that_mean_nothing_to_a_sweep_are_refused(
    vary: str, option: tuple[str, ...], required: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("bench", "matmul", "--size", "16", "--vary", vary, *option)) == 2
    text = f"{option[0]} requires --vary {required}; it was given with --vary {vary}."
    assert text in capsys.readouterr().err


def test_a_sweep_whose_launches_are_all_refused_is_a_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main((*BLOCKS, "--blocks", "64,64")) == 1
    text = capsys.readouterr().out
    assert "this device allows 1,024 per block" in text
    assert "modeled" not in text
