# SPDX-License-Identifier: MIT
"""The emulator's counters against those that NVIDIA's profiler read on an H200.

For each launch in all: requests and sectors of global memory, requests and bank conflicts of shared
memory, loads, stores and atomics apart. They agree within 2 %, but for what `EXPLAINED` lists.

Requests of shared memory are the lesser of two of the profiler's counters. Instructions executed
count warps, too, whose lanes were all switched off; passes less conflicts count an access of 8 or
16 bytes two or four times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.corpus.case import Case
from tests.gpu.profiled import profiled_cases

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.model.launch import WARP_SIZE
from threadloom.model.trace import AccessKind, Space, Trace
from threadloom.services.devices import device_table

FOLDER = next(p for p in Path(__file__).parents if p.name == "tests") / "data" / "gpu"
CASES = {case.name: case for case in profiled_cases()}
CLOSE = 0.02

KINDS = {"loads": AccessKind.READ, "stores": AccessKind.WRITE, "atomics": AccessKind.ATOMIC}
COLLECTED = "nvcc reads neighboring words of shared memory with one instruction of 8 or 16 bytes"
KEPT = "one of the two compilers keeps a value in a register that the other reads again"
UNROLLED = (
    "nvcc goes round by 16 turns at a time, then 8, 4 and 1: lanes in different ones are apart"
)

EXPLAINED: Mapping[tuple[str, str], str] = {
    ("matmul/shared_tile", "shared loads"): COLLECTED,
    ("reduction/step2", "conflicts of loads"): COLLECTED,
    ("reduction/step7", "shared loads"): COLLECTED,
    ("scan", "shared loads"): KEPT,
    ("scan", "conflicts of loads"): KEPT,
    ("spmv/thread_per_row", "global loads"): UNROLLED,
}


@pytest.fixture(scope="module")
def record() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((FOLDER / "profiler-h200.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def engine() -> EmulatorBackend:
    return EmulatorBackend(device_table.find("H200"))


def counted(trace: Trace) -> dict[str, int]:
    """What the emulator counted, by the names that `EXPLAINED` uses."""
    found: dict[str, int] = {}
    for name, kind in KINDS.items():
        for space in Space:
            sites = [s for s in trace.sites if (s.kind, s.space) == (kind, space)]
            found[f"{space} {name}"] = sum(site.requests for site in sites)
            if space is Space.GLOBAL:
                found[f"sectors of {name}"] = sum(site.sectors for site in sites)
            else:
                found[f"conflicts of {name}"] = sum(site.bank_conflicts for site in sites)
    return found


def profiled(counters: Mapping[str, int]) -> dict[str, int]:
    """The same of the profiler's counters."""
    found: dict[str, int] = {}
    codes = {"loads": ("ld",), "stores": ("st",), "atomics": ("atom", "red")}
    for name, kinds in codes.items():
        for word, what in (("global", "requests"), ("sectors of", "sectors")):
            keys = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{kind}" for kind in kinds]
            found[f"{word} {name}"] = sum(counters.get(key, 0) for key in keys)
        bank = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
        passes = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
        conflicts = counters.get(bank + kinds[0], 0)
        executed = counters.get(f"smsp__inst_executed_op_shared_{kinds[0]}", 0)
        found[f"conflicts of {name}"] = conflicts
        found[f"shared {name}"] = min(executed, counters.get(passes + kinds[0], 0) - conflicts)
    return found


def agree(ours: int, theirs: int) -> bool:
    return abs(ours - theirs) <= CLOSE * theirs


def test_the_record_is_of_these_launches(record: Mapping[str, Any]) -> None:
    assert record["machine"]["gpu"] == "NVIDIA H200"
    rows = {row["name"]: row for row in record["rows"]}
    assert list(rows) == list(CASES)
    for name, case in CASES.items():
        row = rows[name]
        assert row["source"] == case.digest, f"{name} has changed: profile it again"
        assert row["grid"] == list(case.launch.grid)
        assert row["block"] == list(case.launch.block)
        shapes = {
            n: list(np.shape(v)) if np.ndim(v) else np.asarray(v).item()
            for n, v in case.values().items()
        }
        assert row["arguments"] == shapes, f"{name} has other arguments: profile it again"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_counters_are_those_of_the_gpu(
    case: Case, record: Mapping[str, Any], engine: EmulatorBackend
) -> None:
    row = next(row for row in record["rows"] if row["name"] == case.name)
    trace = engine.trace(engine.compile(case.program), case.launch, case.values()).trace
    ours, theirs = counted(trace), profiled(row["counters"])
    apart = {
        what: (ours[what], theirs[what])
        for what in theirs
        if not agree(ours[what], theirs[what]) and (case.name, what) not in EXPLAINED
    }
    assert apart == {}, "(emulator, H200)"


def loads_of_rows(lengths: Array, steps: Sequence[int]) -> int:
    """Requests of ``thread_per_row`` if its loop takes so many turns at a time, and each but the
    first step at most once."""
    requests = 0
    for first in range(0, len(lengths), WARP_SIZE):
        left = np.array(lengths[first : first + WARP_SIZE])
        requests += 2  # where the row starts and where it ends
        for number, step in enumerate(steps):
            times = left // step if number in (0, len(steps) - 1) else (left >= step) * 1
            requests += 3 * step * int(times.max())
            left -= step * times
    return requests


def test_an_unrolled_loop_accounts_for_the_loads_of_rows(
    record: Mapping[str, Any], engine: EmulatorBackend
) -> None:
    case = CASES["spmv/thread_per_row"]
    row = next(row for row in record["rows"] if row["name"] == case.name)
    trace = engine.trace(engine.compile(case.program), case.launch, case.values()).trace
    lengths = np.diff(np.asarray(case.values()["starts"]))
    assert counted(trace)["global loads"] == loads_of_rows(lengths, (1,))
    assert profiled(row["counters"])["global loads"] == loads_of_rows(lengths, (16, 8, 4, 1))


def test_what_is_explained_is_known() -> None:
    assert {name for name, _what in EXPLAINED} <= set(CASES)
    assert {what for _name, what in EXPLAINED} <= set(profiled({}))
