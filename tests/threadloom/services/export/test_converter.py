# SPDX-License-Identifier: MIT
"""Records as plain values and back."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from operator import attrgetter

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding, Fix, Where
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import Message
from threadloom.model.provenance import Provenance
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import Point, Samples, SeriesKey, Timing
from threadloom.services.export.converter import (
    DERIVED,
    FORMER,
    INLINE,
    KEYS,
    LEFT_OUT,
    OPTIONAL,
    from_plain,
    to_plain,
)
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint

TIMING = Timing(
    SeriesKey.KERNEL, Message("Kernel"), Samples((1.0, 2.0)), Provenance.MODELED, "H200"
)
POINT = LaunchPoint(
    LaunchChoice("grid", Dim3(64)), Launch(Dim3(2), Dim3(64)), None, Provenance.MODELED, "H200"
)
JOB = Job("vector_add", "grid", {"n": 4}, block=Dim3(16, 2))


@pytest.mark.parametrize("table", [KEYS, LEFT_OUT, OPTIONAL, INLINE])
def test_every_exception_is_of_a_field(table: dict[type, set[str]]) -> None:
    for kind, names in table.items():
        assert set(names) <= {field.name for field in fields(kind)}


def test_what_is_derived_is_an_attribute_and_former_keys_have_a_present_one() -> None:
    plain = to_plain(TIMING)
    for path in DERIVED[Samples].values():
        attrgetter(path)(TIMING.samples)
    known = set(plain) | {"timer_resolution_s", "discarded", "gpu_states"}
    assert set(FORMER[Samples].values()) <= known


@pytest.mark.parametrize(
    "record", [TIMING, POINT, JOB, Point(3, None, Message("Too slow.")), Point(4, Samples((1.0,)))]
)
def test_read_back_it_is_the_same(record: object) -> None:
    assert from_plain(json.loads(json.dumps(to_plain(record))), type(record)) == record


def test_a_record_holds_plain_values_by_its_fields_names() -> None:
    plain = to_plain(TIMING)
    assert (plain["key"], plain["source"], plain["samples_s"]) == ("kernel", "modeled", [1.0, 2.0])
    assert to_plain(JOB)["block"] == [16, 2, 1]
    assert to_plain(Launch(Dim3(1), Dim3(2))) == {
        "grid": [1, 1, 1],
        "block": [2, 1, 1],
        "shared_bytes": 0,
    }


def test_a_finding_names_what_is_known_and_a_fix_what_it_changes() -> None:
    fix = Fix(Message("Use 4 blocks"), grid=Dim3(4))
    finding = Finding(
        "x", Severity.NOTE, Message("X."), where=Where(line=3), fixes=(fix,), control=Control.GRID_X
    )
    plain = to_plain(finding)
    assert plain["where"] == {"line": 3}
    assert plain["fixes"] == [{"title": "Use 4 blocks", "launch": {"grid": [4, 1, 1]}}]
    assert "control" not in plain


def test_figures_that_are_not_finite_are_null() -> None:
    assert to_plain(Finding("x", Severity.NOTE, Message("X."), numbers={"share": math.inf}))[
        "numbers"
    ] == {"share": None}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sizes": 3}, "expected a mapping @ .sizes"),
        ({"block": 16}, "@ .block"),
        ({"operation": ...}, "required field missing @ .operation"),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, object], words: str) -> None:
    plain = {**to_plain(JOB), **change}
    plain = {key: value for key, value in plain.items() if value is not ...}
    with pytest.raises(ValueError, match=words):
        from_plain(plain, Job)
