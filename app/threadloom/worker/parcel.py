# SPDX-License-Identifier: MIT
"""Any value as bytes for a pipe; its large arrays travel beside it in one piece of shared memory.

Pickle's out-of-band buffers (PEP 574) find the arrays wherever they are in a value. The sender
makes at most one segment a parcel, under a name that the receiver can foretell: what a sender
that was killed left behind is found and freed.
"""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np

from threadloom.model.array import Array

LEAST_SHARED = 64 * 1024
"""Buffers below this many bytes go through the pipe: a segment costs more than that copy."""

_ALIGNMENT = 64
_SHARED_FOLDER = Path("/dev/shm")  # noqa: S108 - the system's shared memory, not a folder for files


@dataclass(frozen=True, slots=True)
class _Parcel:
    """Pickled value, and where in the segment its buffers lie."""

    pickled: bytes
    segment: str = ""
    spans: tuple[tuple[int, int], ...] = ()


class Packer:
    """Turns values into bytes; its segments are named ``prefix`` and a number from 0."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._made = 0
        self._held: list[SharedMemory] = []

    def pack(self, value: object) -> bytes:
        """Pickle a value, with its large arrays in shared memory as far as there is room."""
        buffers: list[memoryview] = []

        def keep_inside(buffer: pickle.PickleBuffer) -> bool:
            view = buffer.raw()
            if view.nbytes < LEAST_SHARED:
                return True
            buffers.append(view)
            return False

        pickled = pickle.dumps(value, protocol=5, buffer_callback=keep_inside)
        if not buffers:
            return pickle.dumps(_Parcel(pickled))
        spans, length = _lay_out(buffers)
        if length > _room():
            return pickle.dumps(_Parcel(pickle.dumps(value, protocol=5)))
        return pickle.dumps(_Parcel(pickled, self._fill(buffers, spans, length), spans))

    def _fill(
        self, buffers: list[memoryview], spans: tuple[tuple[int, int], ...], length: int
    ) -> str:
        segment = SharedMemory(segment_name(self._prefix, self._made), create=True, size=length)
        self._made += 1
        whole = _bytes_of(segment)
        for buffer, (start, end) in zip(buffers, spans, strict=True):
            whole[start:end] = np.frombuffer(buffer, np.uint8)
        del whole  # it holds the segment open
        self._held.append(segment)
        if os.name != "nt":
            self.release()
        return segment.name

    def release(self) -> None:
        """Let go of segments that the receiver has surely seen.

        POSIX keeps a segment until it is unlinked; Windows until nobody holds it, so that there
        the sender may let go only after the receiver has answered.
        """
        while self._held:
            self._held.pop().close()


class Unpacker:
    """Turns bytes back into values and frees the segments of one packer, in its order."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._seen = 0

    def unpack(self, data: bytes) -> object:
        """Give the value; its arrays are copies of their own."""
        parcel: _Parcel = pickle.loads(data)  # noqa: S301 - from our own child
        if not parcel.segment:
            return pickle.loads(parcel.pickled)  # noqa: S301
        self._seen += 1
        segment = SharedMemory(parcel.segment)
        try:
            arrays = _copies(segment, parcel.spans)
        finally:
            segment.close()
            segment.unlink()
        return pickle.loads(parcel.pickled, buffers=arrays)  # noqa: S301

    def free_leftovers(self) -> int:
        """Free what a dead sender made and never sent; gives the number of segments."""
        freed = 0
        while True:
            try:
                segment = SharedMemory(segment_name(self._prefix, self._seen))
            except (FileNotFoundError, ValueError):  # none, or killed before it had a size
                return freed
            segment.close()
            segment.unlink()
            self._seen += 1
            freed += 1


def segment_name(prefix: str, number: int) -> str:
    """Name of a packer's segment; short, as macOS allows 30 characters."""
    return f"{prefix}-{number}"


def _lay_out(buffers: list[memoryview]) -> tuple[tuple[tuple[int, int], ...], int]:
    spans, end = [], 0
    for buffer in buffers:
        start = -(-end // _ALIGNMENT) * _ALIGNMENT
        end = start + buffer.nbytes
        spans.append((start, end))
    return tuple(spans), end


def _bytes_of(segment: SharedMemory) -> Array:
    return np.ndarray((segment.size,), np.uint8, segment.buf)


def _copies(segment: SharedMemory, spans: tuple[tuple[int, int], ...]) -> Iterator[Array]:
    whole = _bytes_of(segment)
    copies = [whole[start:end].copy() for start, end in spans]
    del whole
    return iter(copies)


def _room() -> float:
    """Bytes of shared memory that are free; writing past them would be a SIGBUS on Linux."""
    if not _SHARED_FOLDER.is_dir():
        return float("inf")
    return float(shutil.disk_usage(_SHARED_FOLDER).free)
