# SPDX-License-Identifier: MIT
"""What was recorded on a GPU covers each kernel of its operations, and agrees with NumPy.

An operation that was added since is not in the record; one that is in it must be there wholly.

A record is a JSON file ``tests/data/gpu/operations*.json``: ``machine``, an object that names the
GPU, driver and versions, and ``rows``, objects with ``operation``, ``variant``, ``dtype``,
``sizes``, ``matches``, ``max_error`` and ``tolerance``.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from threadloom_kernels import discover

FOLDER = Path(__file__).parent.parent / "data" / "gpu"
KEYS = {"operation", "variant", "dtype", "sizes", "matches", "max_error", "tolerance"}

FIRST_OPERATIONS = 12
"""Operations of the first version, which every record has."""

Row = Mapping[str, Any]


def _complaints(rows: Iterable[Row]) -> list[str]:
    """Say which rows are wrong, and which kernels of the operations in the record have none."""
    rows = list(rows)
    recorded = {row.get("operation") for row in rows}
    missing = {
        (operation.name, variant.name, dtype)
        for operation in discover().values()
        if operation.name in recorded
        for variant in operation.variants
        for dtype in operation.dtypes
    }
    found = []
    for row in rows:
        if lacking := KEYS - set(row):
            found.append(f"{row} lacks {', '.join(sorted(lacking))}")
            continue
        name = (row["operation"], row["variant"], row["dtype"])
        missing.discard(name)
        if row["matches"] is not True or not row["max_error"] <= row["tolerance"]:
            found.append(f"{'/'.join(name)} differs at {row['sizes']}: {row['max_error']}")
    return found + [f"{'/'.join(name)} was not run" for name in sorted(missing)]


def test_every_kernel_agreed_on_a_gpu() -> None:
    records = sorted(FOLDER.glob("operations*.json"))
    if not records:
        pytest.skip("no results of a GPU have been recorded")
    for record in records:
        data = json.loads(record.read_text("utf-8"))
        assert data["machine"], record.name
        assert len({row["operation"] for row in data["rows"]}) >= FIRST_OPERATIONS, record.name
        assert _complaints(data["rows"]) == [], record.name


def _rows() -> list[dict[str, Any]]:
    return [
        {
            "operation": operation.name,
            "variant": variant.name,
            "dtype": dtype,
            "sizes": operation.sizes({}),
            "matches": True,
            "max_error": 0.0,
            "tolerance": 0.0,
        }
        for operation in discover().values()
        for variant in operation.variants
        for dtype in operation.dtypes
    ]


def test_a_full_record_passes() -> None:
    assert _complaints(_rows()) == []


@pytest.mark.parametrize(
    ("change", "validation_message"),
    [
        ({"matches": False}, "differs"),
        ({"max_error": 1e-3}, "differs"),
        ({"max_error": float("nan")}, "differs"),
        ({"variant": "other"}, "was not run"),
    ],
)
def test_one_bad_row_shows(change: dict[str, Any], validation_message: str) -> None:
    rows = _rows()
    rows[3] |= change
    assert [validation_message in text for text in _complaints(rows)] == [True]


def test_a_row_without_a_key_shows() -> None:
    rows = _rows()
    del rows[0]["tolerance"]
    assert "lacks tolerance" in _complaints(rows)[0]
