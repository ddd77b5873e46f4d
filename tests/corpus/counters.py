# SPDX-License-Identifier: MIT
"""One kind of access each, so that each counter can be held against a GPU's by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

GRID, BLOCK = 16, 128
THREADS = GRID * BLOCK


def counter_cases() -> Iterator[Case]:
    """All of them; the numbers in a name are the kernel's own."""
    for by, shift in ((0, 0), (1, 0), (1, 1), (1, 7), (2, 0), (3, 0), (8, 0), (33, 0)):
        yield _case("strided", partial(_strided, by, shift), by, shift)
    for by in (1, 2, 8, 33):
        yield _case("strided_store", partial(_stored, by), by)
    yield _case("bytes", _bytes)
    for by in (1, 2, 5):
        yield _case("vectors", partial(_wide, np.float32, 4, by), by)
        yield _case("doubles", partial(_wide, np.float64, 1, by), by)
    for by in (0, 1, 2, 4, 32, 33):
        yield _case("shared_words", partial(_from_shared, np.float32, 1, by), by)
    for by in (0, 1, 2, 3, 16):
        yield _case("shared_doubles", partial(_from_shared, np.float64, 1, by), by)
    for by in (0, 1, 2, 3, 8):
        yield _case("shared_vectors", partial(_from_shared, np.float32, 4, by), by)
    for places, by in ((1, 1), (2, 1), (2, 8), (7, 1), (16, 1), (32, 1), (32, 8)):
        yield _case("add_integers", partial(_added, np.int32, places, by), places, by)
        yield _case("add_floats", partial(_added, np.float32, places, by), places, by)
        yield _case("add_in_shared", partial(_added, np.int32, places, by), places, by)
    for places in (1, 8, THREADS):
        yield _case("exchanged", partial(_exchanged, places), places)


def _case(entry: str, values: Callable[[], Values], *numbers: int) -> Case:
    name = " ".join([f"counters/{entry}", *map(str, numbers)])
    return Case(name, program("counters.cu", entry), launch((GRID,), (BLOCK,)), values)


def _strided(by: int, shift: int) -> Values:
    a = np.zeros(THREADS * max(by, 1) + shift, np.float32)
    o = np.zeros(THREADS, np.float32)
    return {"o": o, "a": a, "by": np.int32(by), "shift": np.int32(shift)}


def _stored(by: int) -> Values:
    return {"o": np.zeros(THREADS * by, np.float32), "by": np.int32(by)}


def _bytes() -> Values:
    return {"o": np.zeros(THREADS, np.uint8), "a": np.zeros(THREADS, np.uint8)}


def _wide(dtype: type, lanes: int, by: int) -> Values:
    a: Array = np.zeros(THREADS * by * lanes, dtype)
    return {"o": np.zeros(THREADS * lanes, dtype), "a": a, "by": np.int32(by)}


def _from_shared(dtype: type, lanes: int, by: int) -> Values:
    return {"o": np.zeros(THREADS * lanes, dtype), "by": np.int32(by)}


def _added(dtype: type, places: int, by: int) -> Values:
    return {"o": np.zeros(1024, dtype), "places": np.int32(places), "by": np.int32(by)}


def _exchanged(places: int) -> Values:
    o, old = np.zeros(THREADS, np.int32), np.zeros(THREADS, np.int32)
    return {"o": o, "old": old, "places": np.int32(places)}
