# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from threadloom.worker import serializer
from threadloom.worker.serializer import LEAST_SHARED, Deserializer, Serializer


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the segments that are made in a test."""
    names: list[str] = []

    def noted(prefix: str, number: int) -> str:
        name = f"{prefix}-{number}"
        if name not in names and not exists(name):
            names.append(name)
        return name

    monkeypatch.setattr(serializer, "segment_name", noted)
    return names


def named(text: str) -> str:
    """A name that no other test run on this machine uses."""
    return f"tl{os.getpid():x}-{text}"


def exists(name: str) -> bool:
    return (Path("/dev/shm") / name).exists()


def test_small_values_need_no_segment() -> None:
    data = Serializer(named("small")).serialize({"a": np.arange(10)})
    assert Deserializer(named("small")).deserialize(data)["a"].tolist() == list(range(10))  # type: ignore[index]


def test_large_arrays_stay_out_of_the_pipe() -> None:
    value = [np.arange(LEAST_SHARED), np.ones((3, LEAST_SHARED), np.float32)]
    data = Serializer(named("large")).serialize(value)
    assert len(data) < 1000
    receiver = Deserializer(named("large"))
    back = receiver.deserialize(data)
    receiver.free_all()
    assert isinstance(back, list)
    for sent, got in zip(value, back, strict=True):
        np.testing.assert_array_equal(sent, got)
        assert got.flags.writeable


def test_a_segment_is_used_again_once_it_is_read(made: list[str]) -> None:
    sender, receiver = Serializer(named("again")), Deserializer(named("again"))
    for number in range(5):
        back = receiver.deserialize(sender.serialize(np.full(LEAST_SHARED, number)))
        assert np.all(back == number)
    assert made == [named("again-0")]
    sender.serialize(np.zeros(LEAST_SHARED))
    sender.serialize(np.zeros(LEAST_SHARED))  # the other is not read yet
    assert made == [named("again-0"), named("again-1")]
    receiver.free_all()


def test_a_segment_that_became_too_short_is_freed(made: list[str]) -> None:
    sender, receiver = Serializer(named("grow")), Deserializer(named("grow"))
    for length in (1, 2, 3):
        receiver.deserialize(sender.serialize(np.zeros(length * LEAST_SHARED)))
    assert [name for name in made if exists(name)] == [named("grow-2")]
    receiver.free_all()


def test_a_huge_segment_is_not_kept(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serializer, "MOST_KEPT", LEAST_SHARED)
    sender, receiver = Serializer(named("huge")), Deserializer(named("huge"))
    receiver.deserialize(sender.serialize(np.zeros(LEAST_SHARED)))
    assert not exists(made[0])


def test_leftovers_are_found_by_name(made: list[str]) -> None:
    sender, receiver = Serializer(named("left")), Deserializer(named("left"))
    receiver.deserialize(sender.serialize(np.zeros(LEAST_SHARED)))
    for _never_sent in range(3):
        sender.serialize(np.zeros(LEAST_SHARED))
    assert len(made) == 3
    receiver.free_all()
    assert not any(exists(name) for name in made)


def test_without_room_arrays_go_through_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serializer, "_room", lambda: 0.0)
    data = Serializer(named("room")).serialize(np.arange(LEAST_SHARED))
    assert len(data) > LEAST_SHARED
    np.testing.assert_array_equal(
        Deserializer(named("room")).deserialize(data), np.arange(LEAST_SHARED)
    )
