# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from threadloom.worker import parcel
from threadloom.worker.parcel import LEAST_SHARED, Packer, Unpacker


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the segments that are made in a test."""
    names: list[str] = []

    def noted(prefix: str, number: int) -> str:
        name = f"{prefix}-{number}"
        if name not in names and not exists(name):
            names.append(name)
        return name

    monkeypatch.setattr(parcel, "segment_name", noted)
    return names


def exists(name: str) -> bool:
    return (Path("/dev/shm") / name).exists()


def test_small_values_need_no_segment() -> None:
    data = Packer("tl-test-small").pack({"a": np.arange(10)})
    assert Unpacker("tl-test-small").unpack(data)["a"].tolist() == list(range(10))  # type: ignore[index]


def test_large_arrays_stay_out_of_the_pipe() -> None:
    value = [np.arange(LEAST_SHARED), np.ones((3, LEAST_SHARED), np.float32)]
    data = Packer("tl-test-large").pack(value)
    assert len(data) < 1000
    unpacker = Unpacker("tl-test-large")
    back = unpacker.unpack(data)
    unpacker.free_all()
    assert isinstance(back, list)
    for sent, got in zip(value, back, strict=True):
        np.testing.assert_array_equal(sent, got)
        assert got.flags.writeable


def test_a_segment_is_used_again_once_it_is_read(made: list[str]) -> None:
    packer, unpacker = Packer("tl-test-again"), Unpacker("tl-test-again")
    for number in range(5):
        back = unpacker.unpack(packer.pack(np.full(LEAST_SHARED, number)))
        assert np.all(back == number)
    assert made == ["tl-test-again-0"]
    packer.pack(np.zeros(LEAST_SHARED))
    packer.pack(np.zeros(LEAST_SHARED))  # the other is not read yet
    assert made == ["tl-test-again-0", "tl-test-again-1"]
    unpacker.free_all()


def test_a_segment_that_became_too_short_is_freed(made: list[str]) -> None:
    packer, unpacker = Packer("tl-test-grow"), Unpacker("tl-test-grow")
    for length in (1, 2, 3):
        unpacker.unpack(packer.pack(np.zeros(length * LEAST_SHARED)))
    assert [name for name in made if exists(name)] == ["tl-test-grow-2"]
    unpacker.free_all()


def test_a_huge_segment_is_not_kept(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_KEPT", LEAST_SHARED)
    packer, unpacker = Packer("tl-test-huge"), Unpacker("tl-test-huge")
    unpacker.unpack(packer.pack(np.zeros(LEAST_SHARED)))
    assert not exists(made[0])


def test_leftovers_are_found_by_name(made: list[str]) -> None:
    packer, unpacker = Packer("tl-test-left"), Unpacker("tl-test-left")
    unpacker.unpack(packer.pack(np.zeros(LEAST_SHARED)))
    for _never_sent in range(3):
        packer.pack(np.zeros(LEAST_SHARED))
    assert len(made) == 3
    unpacker.free_all()
    assert not any(exists(name) for name in made)


def test_without_room_arrays_go_through_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "_room", lambda: 0.0)
    data = Packer("tl-test-room").pack(np.arange(LEAST_SHARED))
    assert len(data) > LEAST_SHARED
    np.testing.assert_array_equal(Unpacker("tl-test-room").unpack(data), np.arange(LEAST_SHARED))
