# SPDX-License-Identifier: MIT
"""What threads do together: shuffles, votes, reductions, barriers, groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values


def warp_cases() -> Iterator[Case]:
    """All of them."""
    yield from _warp_cases()
    yield from _barrier_cases()
    yield from _group_cases()


def numbers(count: int) -> Array:
    """Integers from 0 to 96, always the same."""
    return np.random.default_rng(8).integers(0, 97, count, np.int32)


def _ints(*shape: int) -> Array:
    return np.zeros(shape, np.int32)


# Warps --------------------------------------------------------------------------------------------


def _warp_cases() -> Iterator[Case]:
    made: dict[str, tuple[Callable[[], Values], Callable[[Values], Mapping[str, Array]]]] = {
        "shuffles": (
            lambda: {
                "a": numbers(64),
                "b": np.arange(64) / 4,
                "o": _ints(64, 6),
                "d": np.zeros((64, 2)),
            },
            _shuffles,
        ),
        "votes": (lambda: {"a": numbers(64), "o": np.zeros((64, 5), np.uint32)}, _votes),
        "reductions": (
            lambda: {"a": numbers(64), "o": _ints(64, 3), "u": np.zeros((64, 6), np.uint32)},
            _reductions,
        ),
        "matches": (
            lambda: {"a": numbers(64), "o": np.zeros((64, 2), np.uint32), "all": _ints(64)},
            _matches,
        ),
        "scan": (
            lambda: {"a": numbers(256), "o": _ints(256)},
            lambda v: {"o": np.cumsum(v["a"]) - v["a"]},
        ),
    }
    for entry, (values, answer) in made.items():
        block = launch((1,), (256 if entry == "scan" else 64,))
        yield Case(f"warps/{entry}", program("language/warps.cu", entry), block, values, answer)


def _shuffles(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]), np.asarray(v["b"])
    i = np.arange(64)
    lane, first = i % 32, i // 32 * 32
    o = [
        a[first + 7],
        a[i // 16 * 16 + (i + 3) % 16],
        a[np.where(lane >= 3, i - 3, i)],
        a[np.where(i % 8 + 5 < 8, np.minimum(i + 5, 63), i)],
        a[i ^ 6],
        a[first + 31 - lane],
    ]
    d = [b[i ^ 16], b[np.where(i % 4 >= 1, i - 1, i)]]
    return {"o": np.stack(o, axis=1), "d": np.stack(d, axis=1)}


def _mask(flags: Array) -> Array:
    """For each of 64 threads, the votes of its warp."""
    weights = np.uint64(1) << np.arange(32, dtype=np.uint64)
    return np.repeat((flags.reshape(2, 32) * weights).sum(axis=1), 32).astype(np.uint32)


def _votes(v: Values) -> Mapping[str, Array]:
    a, odd = np.asarray(v["a"]), np.arange(64) % 2 == 1
    any_above = np.repeat((a > 95).reshape(2, 32).any(axis=1), 32)
    thirds = _mask((a % 3 == 0) & odd)
    o = [_mask(a > 50), any_above + 2, np.where(odd, thirds, 0), np.where(odd, 0, 16), thirds]
    return {"o": np.stack(o, axis=1).astype(np.uint32)}


def _reductions(v: Values) -> Mapping[str, Array]:
    a = np.asarray(v["a"]).reshape(2, 32)
    bits = [np.bitwise_and.reduce(a | 1, axis=1), np.bitwise_or.reduce(a, axis=1)]
    u = [a.sum(axis=1), a.min(axis=1), a.max(axis=1), *bits, np.bitwise_xor.reduce(a, axis=1)]
    o = [(a - 50).sum(axis=1), a.min(axis=1) - 50, a.max(axis=1) - 50]
    return {
        "o": np.repeat(np.stack(o, axis=1), 32, axis=0).astype(np.int32),
        "u": np.repeat(np.stack(u, axis=1), 32, axis=0).astype(np.uint32),
    }


def _matches(v: Values) -> Mapping[str, Array]:
    a = np.asarray(v["a"]) % 5
    masks = np.stack([_mask(a == value) for value in range(5)])
    o = np.stack([masks[a, np.arange(64)], np.full(64, 0xFFFFFFFF, np.uint32)], axis=1)
    return {"o": o, "all": np.ones(64, np.int32)}


# Barriers -----------------------------------------------------------------------------------------


def _barrier_cases() -> Iterator[Case]:
    file = "language/barriers.cu"
    yield Case(
        "barriers/votes",
        program(file, "votes"),
        launch((3,), (48,)),
        lambda: {"a": numbers(144), "o": _ints(144)},
        lambda v: {"o": _block_votes(np.asarray(v["a"]))},
    )
    yield Case(
        "barriers/shifted",
        program(file, "shifted"),
        launch((1,), (96,)),
        lambda: {"a": numbers(96), "times": np.int32(7)},
        lambda v: {"a": np.roll(v["a"], -7) + 7},
    )
    yield Case(
        "barriers/within_warps",
        program(file, "within_warps"),
        launch((1,), (64,)),
        lambda: {"a": numbers(64)},
        lambda v: {"a": 2 * np.asarray(v["a"]).reshape(2, 32)[:, ::-1][:, np.arange(32) ^ 1]},
    )
    yield Case(
        "barriers/part_of_a_block",
        program(file, "part_of_a_block"),
        launch((1,), (64,)),
        lambda: {"a": numbers(64)},
        _part_of_a_block,
    )


def _block_votes(a: Array) -> Array:
    blocks = a.reshape(3, 48)
    above, some = (blocks > 50).sum(axis=1), (blocks == 77).any(axis=1)
    return np.repeat(above + 1000 + 10000 * some, 48).astype(np.int32)


def _part_of_a_block(v: Values) -> Mapping[str, Array]:
    a = np.asarray(v["a"])
    sums = np.roll(a[:32] + a[32:], -1)
    return {"a": np.concatenate([sums, a[32:]])[::-1]}


# Groups -------------------------------------------------------------------------------------------


def _group_cases() -> Iterator[Case]:
    file = "language/groups.cu"
    yield Case(
        "groups/ranks",
        program(file, "ranks"),
        launch((1,), (16, 4)),
        lambda: {"o": _ints(64, 6)},
        lambda _v: {
            "o": np.array([[i, 64, i // 16, i % 16, i // 16, 416] for i in range(64)], np.int32)
        },
    )
    yield Case(
        "groups/collectives",
        program(file, "collectives"),
        launch((1,), (64,)),
        lambda: {"a": numbers(64), "o": _ints(64, 12)},
        _collectives,
    )
    yield Case(
        "groups/compaction",
        program(file, "compaction"),
        launch((4,), (64,)),
        lambda: {
            "a": numbers(250),
            "o": np.full(250, -1, np.int32),
            "count": _ints(1),
            "n": np.int32(250),
        },
        lambda v: {"count": np.array([(np.asarray(v["a"]) > 50).sum()], np.int32)},
        keeps=("count",),
    )
    yield Case(
        "groups/synchronised",
        program(file, "synchronised"),
        launch((1,), (128,)),
        lambda: {"a": numbers(128)},
        _synchronized,
    )


def _collectives(v: Values) -> Mapping[str, Array]:
    a, i = np.asarray(v["a"]), np.arange(64)
    tiles, warps = a.reshape(8, 8), a.reshape(2, 32)
    rank, first = i % 8, i // 8 * 8
    ballot = ((tiles > 50) << np.arange(8)).sum(axis=1).repeat(8)
    votes = (tiles > 90).any(axis=1) + 2 * (tiles < 95).all(axis=1)
    masks = np.stack([_mask(a % 4 == value) for value in range(4)])
    o = [
        warps.sum(axis=1).repeat(32),
        tiles.min(axis=1).repeat(8),
        tiles.max(axis=1).repeat(8),
        tiles.cumsum(axis=1).ravel(),
        (warps.cumsum(axis=1) - warps).ravel(),
        a[first + 2],
        a[np.where(rank >= 1, i - 1, i)],
        a[np.where(rank + 3 < 8, np.minimum(i + 3, 63), i)],
        a[i ^ 5],
        votes.repeat(8),
        ballot,
        masks[a % 4, i].view(np.int32),
    ]
    return {"o": np.stack(o, axis=1).astype(np.int32)}


def _synchronized(v: Values) -> Mapping[str, Array]:
    mirrored = np.asarray(v["a"])[::-1]
    return {"a": mirrored[np.arange(128) // 4 * 4] + mirrored}
