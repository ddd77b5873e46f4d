# SPDX-License-Identifier: MIT
"""Graphs, sparse matrices, texts and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

N, M = 50, 120
NEVER = np.uint32(0xFFFFFFFF)
FAR = np.int32(0x7FFFFFFF)


def graph_cases() -> Iterator[Case]:
    """All of them."""
    yield _case("bfs_level", 2, (32,), _bfs, _bfs_answer)
    yield _case("components", 1, (32,), _components, _components_answer, keeps=("label",))
    yield _case("bellman_ford", 1, (64,), _ways, _ways_answer)
    yield _case("pagerank", 2, (32,), _pagerank, _pagerank_answer, 1e-14)
    yield _case("spmv_ell", 2, (32,), _ell, _ell_answer, 1e-14)
    yield _case("spmv_coo", 2, (64,), _coo, _coo_answer, 1e-6)
    yield _case("search", 4, (32,), _search, _search_answer)
    yield _case("levenshtein", 1, (32,), _words, _distance, shared=3 * 4 * 20)
    yield _case("nqueens", 1, (8, 8), _board, lambda _v: {"total": np.array([92], np.uint64)})
    yield _case("murmur", 2, (32,), _keys, _murmur_answer)
    yield _case("hash_table", 1, (64,), _table, _table_answer, keeps=("found",))


def _case(
    entry: str,
    blocks: int,
    block: tuple[int, ...],
    values: Callable[[], Values],
    answer: Callable[[Values], Mapping[str, Array]] | None,
    tolerance: float = 0,
    shared: int = 0,
    keeps: tuple[str, ...] = (),
) -> Case:
    source = program("programs/graphs.cu", entry)
    where = launch((blocks,), block, shared)
    return Case(f"graphs/{entry}", source, where, values, answer, tolerance, keeps)


def _edges() -> Array:
    return np.random.default_rng(2).integers(0, N, (M, 2)).astype(np.int32)


def _rows() -> tuple[Array, Array]:
    """Where each vertex' edges start, and where they lead."""
    edges = _edges()
    order = np.argsort(edges[:, 0], kind="stable")
    starts = np.searchsorted(edges[order, 0], np.arange(N + 1))
    return starts, edges[order, 1]


def _bfs() -> Values:
    starts, ends = _rows()
    level = np.full(N, NEVER)
    level[: N // 5] = np.arange(N // 5) % 3
    return {
        "srcPtrs": starts.astype(np.uint32),
        "dst": ends.astype(np.uint32),
        "level": level,
        "n": np.uint32(N),
        "currLevel": np.uint32(3),
        "newVertexVisited": np.zeros(1, np.uint32),
    }


def _bfs_answer(v: Values) -> Mapping[str, Array]:
    level, edges = np.array(v["level"]), _edges()
    reached = edges[level[edges[:, 0]] == 2, 1]
    new = reached[level[reached] == NEVER]
    level[new] = 3
    return {"level": level, "newVertexVisited": np.array([len(new) > 0], np.uint32)}


def _components() -> Values:
    sizes = {"n": np.int32(N), "m": np.int32(40)}
    parent = np.arange(N, dtype=np.int32)
    return {"label": np.zeros(N, np.int32), "parent": parent, "edges": _edges()[:40], **sizes}


def _components_answer(_v: Values) -> Mapping[str, Array]:
    label = np.arange(N)
    for _round in range(N):
        for a, b in _edges()[:40]:
            label[[a, b]] = min(label[a], label[b])
    return {"label": label}


def _ways() -> Values:
    edges = _edges()
    distance = np.full(N, FAR)
    distance[0] = 0
    return {
        "distance": distance,
        "from": np.ascontiguousarray(edges[:, 0]),
        "to": np.ascontiguousarray(edges[:, 1]),
        "weight": np.arange(1, M + 1, dtype=np.int32),
        "m": np.int32(M),
        "rounds": np.zeros(1, np.int32),
    }


def _ways_answer(_v: Values) -> Mapping[str, Array]:
    distance = np.full(N, int(FAR))
    distance[0] = 0
    for _round in range(N):
        for weight, (a, b) in enumerate(_edges(), 1):
            if distance[a] != FAR:
                distance[b] = min(distance[b], distance[a] + weight)
    return {"distance": distance, "rounds": np.ones(1, np.int32)}


def _pagerank() -> Values:
    edges = _edges()
    order = np.argsort(edges[:, 1], kind="stable")
    return {
        "next": np.zeros(N),
        "rank": np.random.default_rng(3).random(N),
        "starts": np.searchsorted(edges[order, 1], np.arange(N + 1)).astype(np.int32),
        "sources": np.ascontiguousarray(edges[order, 0]),
        "degrees": np.maximum(np.bincount(edges[:, 0], minlength=N), 1).astype(np.int32),
        "n": np.int32(N),
        "damping": np.float64(0.85),
    }


def _pagerank_answer(v: Values) -> Mapping[str, Array]:
    edges, share = _edges(), np.asarray(v["rank"]) / np.asarray(v["degrees"])
    sums = np.bincount(edges[:, 1], share[edges[:, 0]], minlength=N)
    return {"next": 0.15 / N + 0.85 * sums}


def _ell() -> Values:
    rng = np.random.default_rng(3)
    columns = rng.integers(-1, N, (5, N)).astype(np.int32)
    sizes = {"rows": np.int32(N), "width": np.int32(5)}
    values = rng.random((5, N))
    return {"columns": columns, "values": values, "x": rng.random(N), "y": np.zeros(N), **sizes}


def _ell_answer(v: Values) -> Mapping[str, Array]:
    columns, values, x = (np.asarray(v[name]) for name in ("columns", "values", "x"))
    return {"y": np.where(columns >= 0, values * x[columns], 0).sum(0)}


def _coo() -> Values:
    rng, edges = np.random.default_rng(3), _edges()
    return {
        "row": np.ascontiguousarray(edges[:, 0]),
        "col": np.ascontiguousarray(edges[:, 1]),
        "value": rng.random(M, np.float32),
        "x": rng.random(N, np.float32),
        "y": np.zeros(N, np.float32),
        "nnz": np.int32(M),
    }


def _coo_answer(v: Values) -> Mapping[str, Array]:
    edges = _edges()
    products = np.asarray(v["value"], np.float64) * np.asarray(v["x"])[edges[:, 1]]
    return {"y": np.bincount(edges[:, 0], products, minlength=N)}


TEXT = b"abababbaabab--ababcababa" * 5


def _search() -> Values:
    text = np.frombuffer(TEXT, np.int8)
    counts = {"found": np.zeros(len(TEXT), np.int32), "count": np.zeros(1, np.int32)}
    return {"text": text, **counts, "n": np.int32(len(TEXT))}


def _search_answer(_v: Values) -> Mapping[str, Array]:
    found = [TEXT[i : i + 4] == b"abab" for i in range(len(TEXT))]
    return {"found": np.array(found, np.int32), "count": np.array([sum(found)], np.int32)}


def _words() -> Values:
    a, b = (np.frombuffer(word, np.int8) for word in (b"an intricate loom", b"the interlaced room"))
    sizes = {"n": np.int32(len(a)), "m": np.int32(len(b))}
    return {"a": a, "b": b, **sizes, "out": np.zeros(1, np.int32)}


def _distance(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]), np.asarray(v["b"])
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        last, row = row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(row[-1] + 1, last[j] + 1, last[j - 1] + int(letter != other)))
    return {"out": np.array([row[-1]], np.int32)}


def _board() -> Values:
    return {"n": np.int32(8), "total": np.zeros(1, np.uint64)}


def _keys() -> Values:
    keys = np.random.default_rng(3).integers(0, 2**32, 50, np.uint32)
    return {"keys": keys, "hashes": np.zeros(50, np.uint32), "n": np.int32(50)}


def _murmur_answer(v: Values) -> Mapping[str, Array]:
    return {"hashes": np.array([_murmur(int(k)) for k in np.asarray(v["keys"])], np.uint32)}


def _turned(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & 0xFFFFFFFF


def _murmur(key: int) -> int:
    full = 0xFFFFFFFF
    k = _turned(key * 0xCC9E2D51 & full, 15) * 0x1B873593 & full
    h = (_turned(42 ^ k, 13) * 5 + 0xE6546B64) & full ^ 4
    h = (h ^ h >> 16) * 0x85EBCA6B & full
    h = (h ^ h >> 13) * 0xC2B2AE35 & full
    return h ^ h >> 16


def _table() -> Values:
    keys = np.random.default_rng(3).permutation(1000)[:40].astype(np.uint32)
    return {
        "table": np.full((64, 2), NEVER),
        "keys": keys,
        "values": keys * np.uint32(7),
        "found": np.zeros(40, np.uint32),
        "n": np.int32(40),
        "capacity": np.uint32(64),
    }


def _table_answer(v: Values) -> Mapping[str, Array]:
    return {"found": np.asarray(v["values"])}
