# SPDX-License-Identifier: MIT
from __future__ import annotations

from multiprocessing.shared_memory import SharedMemory

import numpy as np
import pytest

from threadloom.worker import parcel
from threadloom.worker.parcel import LEAST_SHARED, Packer, Unpacker, segment_name


def test_small_values_need_no_segment() -> None:
    data = Packer("tl-test-small").pack({"a": np.arange(10)})
    assert Unpacker("tl-test-small").unpack(data)["a"].tolist() == list(range(10))  # type: ignore[index]


def test_large_arrays_stay_out_of_the_pipe() -> None:
    value = [np.arange(LEAST_SHARED), np.ones((3, LEAST_SHARED), np.float32)]
    data = Packer("tl-test-large").pack(value)
    assert len(data) < 1000
    back = Unpacker("tl-test-large").unpack(data)
    assert isinstance(back, list)
    for sent, got in zip(value, back, strict=True):
        np.testing.assert_array_equal(sent, got)
        assert got.flags.writeable


def test_leftovers_are_found_by_name() -> None:
    packer = Packer("tl-test-left")
    packer.pack(np.zeros(LEAST_SHARED))
    packer.pack(np.zeros(LEAST_SHARED))
    assert Unpacker("tl-test-left").free_leftovers() == 2
    with pytest.raises(FileNotFoundError):
        SharedMemory(segment_name("tl-test-left", 0))


def test_without_room_arrays_go_through_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "_room", lambda: 0.0)
    data = Packer("tl-test-room").pack(np.arange(LEAST_SHARED))
    assert len(data) > LEAST_SHARED
    np.testing.assert_array_equal(Unpacker("tl-test-room").unpack(data), np.arange(LEAST_SHARED))
