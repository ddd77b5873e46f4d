# SPDX-License-Identifier: MIT
"""Any value as bytes for a pipe; its large arrays travel beside it in one piece of shared memory.

Pickle's out-of-band buffers (protocol 5, PEP 574) find the arrays wherever they are in a value. A
message takes at most one segment. The receiver copies the arrays out and marks the segment as free,
and the sender uses it again: writing to mapped pages is several times faster than to new ones, and
arrays that the receiver keeps take no room in ``/dev/shm``, of which containers have little.
Names are predictable, so that the receiver finds and unlinks what a killed sender left.
"""

from __future__ import annotations

import pickle
import shutil
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np

from threadloom.model.array import Array

LEAST_SHARED = 64 * 1024
"""Buffers below this many bytes go through the pipe: a segment costs more than that copy."""

MOST_KEPT = 256 * 1024 * 1024
"""Segments above this many bytes are freed at once instead of being used again."""

_ALIGNMENT = 64
_HEADER = _ALIGNMENT
"""Bytes before the arrays; the first one holds the state."""
_FREE, _SENT, _DROPPED = 0, 1, 2
"""The receiver has copied the arrays; it has not yet; the segment will not be used again."""
_SHARED_FOLDER = Path("/dev/shm")  # noqa: S108 - the system's shared memory, not a folder for files


@dataclass(frozen=True, slots=True)
class _Serialized:
    """Pickled value, and where in the segment its buffers lie."""

    pickled: bytes
    segment: str = ""
    spans: tuple[tuple[int, int], ...] = ()


class Serializer:
    """Turns values into bytes; its segments are named ``prefix`` and a number from 0."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._made = 0
        self._segments: list[SharedMemory] = []

    def serialize(self, value: object) -> bytes:
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
            return pickle.dumps(_Serialized(pickled))
        spans, length = _lay_out(buffers)
        segment = self._segment(length)
        if segment is None:
            return pickle.dumps(_Serialized(pickle.dumps(value, protocol=5)))
        _fill(segment, buffers, spans)
        return pickle.dumps(_Serialized(pickled, segment.name, spans))

    def _segment(self, length: int) -> SharedMemory | None:
        """A free segment that is long enough, or a new one; None if there is no room."""
        self.tidy()
        free = [segment for segment in self._segments if _state(segment) == _FREE]
        for segment in free:
            if segment.size >= length:
                return segment
        for segment in free:
            _mark(segment, _DROPPED)
        self.tidy()
        if length > _room():
            return None
        segment = SharedMemory(segment_name(self._prefix, self._made), create=True, size=length)
        self._made += 1
        self._segments.append(segment)
        return segment

    def tidy(self) -> None:
        """Unmap segments that will not be used again."""
        for segment in [s for s in self._segments if _state(s) == _DROPPED]:
            self._segments.remove(segment)
            segment.close()


class Deserializer:
    """Turns bytes back into values, and unlinks the segments of one serializer."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._seen = 0
        self._segments: dict[str, SharedMemory] = {}

    def deserialize(self, data: bytes) -> object:
        """Give the value; its arrays are copies of their own."""
        message: _Serialized = pickle.loads(data)  # noqa: S301 - from our own child
        if not message.segment:
            return pickle.loads(message.pickled)  # noqa: S301
        if message.segment not in self._segments:
            self._segments[message.segment] = SharedMemory(message.segment)
            self._seen += 1
        segment = self._segments[message.segment]
        arrays = _copies(segment, message.spans)
        _mark(segment, _FREE if segment.size <= MOST_KEPT else _DROPPED)
        self._free_dropped()
        return pickle.loads(message.pickled, buffers=arrays)  # noqa: S301

    def _free_dropped(self) -> None:
        for name in [n for n, segment in self._segments.items() if _state(segment) == _DROPPED]:
            _free(self._segments.pop(name))

    def free_all(self) -> None:
        """Unlink all segments of a sender that has ended, also those that it never sent."""
        while self._segments:
            _free(self._segments.popitem()[1])
        while True:
            try:
                segment = SharedMemory(segment_name(self._prefix, self._seen))
            except (FileNotFoundError, ValueError):  # none, or killed before it had a size
                return
            _free(segment)
            self._seen += 1


def segment_name(prefix: str, number: int) -> str:
    """Name of a serializer's segment; short, as macOS allows 30 characters."""
    return f"{prefix}-{number}"


def _lay_out(buffers: list[memoryview]) -> tuple[tuple[tuple[int, int], ...], int]:
    """Where each buffer goes, and the length of all with the header."""
    spans, end = [], _HEADER
    for buffer in buffers:
        start = -(-end // _ALIGNMENT) * _ALIGNMENT
        end = start + buffer.nbytes
        spans.append((start, end))
    return tuple(spans), end


def _fill(
    segment: SharedMemory, buffers: list[memoryview], spans: tuple[tuple[int, int], ...]
) -> None:
    whole = _bytes_of(segment)
    whole[0] = _SENT
    for buffer, (start, end) in zip(buffers, spans, strict=True):
        whole[start:end] = np.frombuffer(buffer, np.uint8)


def _copies(segment: SharedMemory, spans: tuple[tuple[int, int], ...]) -> list[Array]:
    whole = _bytes_of(segment)
    return [whole[start:end].copy() for start, end in spans]


def _state(segment: SharedMemory) -> int:
    return int(_bytes_of(segment)[0])


def _mark(segment: SharedMemory, state: int) -> None:
    _bytes_of(segment)[0] = state


def _bytes_of(segment: SharedMemory) -> Array:
    """View of a segment, which cannot be closed while the view lives."""
    return np.ndarray((segment.size,), np.uint8, segment.buf)


def _free(segment: SharedMemory) -> None:
    segment.close()
    segment.unlink()


def _room() -> float:
    """Bytes of shared memory that are free; writing past them would be a SIGBUS on Linux."""
    if not _SHARED_FOLDER.is_dir():
        return float("inf")
    return float(shutil.disk_usage(_SHARED_FOLDER).free)
