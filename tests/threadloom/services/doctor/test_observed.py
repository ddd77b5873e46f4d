# SPDX-License-Identifier: MIT
"""Findings from what an observed run saw."""

from dataclasses import replace

import numpy as np
import pytest
from tests.run_records import context_with, diagnosed, launch_context

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.message import literal
from threadloom.model.occupancy import occupancy
from threadloom.model.operation import Operation
from threadloom.model.program import Resources
from threadloom.model.provenance import Provenance
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import Samples, SeriesKey, Timing
from threadloom.model.trace import (
    AccessKind,
    Branch,
    Coverage,
    Race,
    Site,
    Space,
    Trace,
    Violation,
    ViolationKind,
)
from threadloom.services.doctor import DiagnosticContext, verdict

FIRST, SECOND = ThreadId(Dim3(0, 0, 0), Dim3(90, 0, 0)), ThreadId(Dim3(1, 0, 0), Dim3(2, 0, 0))


def only(found: tuple[Finding, ...], kind: str) -> Finding:
    """The one finding of this kind."""
    (finding,) = [f for f in found if f.kind == kind]
    return finding


def coverage(writes: list[int], multi: list[bool] | None = None) -> Coverage:
    """Coverage of c by counts of writes, with or without several writers."""
    counts = np.array(writes, np.uint32)
    owner = np.where(counts > 0, np.arange(counts.size), -1)
    mask = np.array(multi if multi is not None else counts > 1, bool)
    return Coverage("c", counts.shape, owner, counts, counts * 0, mask)


@pytest.fixture
def facts(h200: DeviceModel, line: Operation) -> DiagnosticContext:
    """A right launch for a thousand elements, nothing seen yet."""
    launch = Launch(Dim3(4), Dim3(256))
    return launch_context(
        h200, launch, operation=line, variant=line.variant("grid"), sizes={"n": 1000}
    )


def fault(kind: ViolationKind, **changes: object) -> Violation:
    """A fault of thread 90 at line 4."""
    violation = Violation(
        kind, FIRST, 4, AccessKind.WRITE, Space.GLOBAL, "c", 90, count=38, threads=38
    )
    return replace(violation, **changes)  # type: ignore[arg-type]


def test_a_run_in_which_all_is_well_says_so(facts: DiagnosticContext) -> None:
    found = diagnosed(context_with(facts, trace=Trace({"c": coverage([1] * 1000)})))
    finding = only(found, "written-once")
    assert finding.severity is Severity.PASSED
    assert str(finding.detail) == "Checked on all 1,000 elements"
    assert verdict(found) == "ok"


def test_an_access_past_the_end_names_thread_index_and_line(facts: DiagnosticContext) -> None:
    trace = Trace({}, violations=(fault(ViolationKind.OUT_OF_BOUNDS),), oob_threads=38)
    found = diagnosed(context_with(facts, trace=trace))
    finding = only(found, "out-of-bounds")
    assert str(finding.message) == "Out-of-bounds access: 38 threads leave c"
    assert str(finding.detail) == "First: block 0, thread 90, index 90, line 4"
    assert (finding.where.line, finding.where.array, finding.where.index) == (4, "c", 90)
    assert finding.numbers["writes"] == 38
    assert finding.numbers["reads"] == 0
    assert verdict(found) == "out-of-bounds"


def test_the_first_thread_of_several_places_is_named(facts: DiagnosticContext) -> None:
    later = fault(ViolationKind.OUT_OF_BOUNDS, thread=SECOND, line=2, access=AccessKind.READ)
    trace = Trace({}, violations=(later, fault(ViolationKind.OUT_OF_BOUNDS)))
    finding = only(diagnosed(context_with(facts, trace=trace)), "out-of-bounds")
    assert finding.where.thread == FIRST.thread
    assert (finding.numbers["reads"], finding.numbers["writes"]) == (38, 38)


def test_two_arrays_are_two_findings(facts: DiagnosticContext) -> None:
    violations = (
        fault(ViolationKind.OUT_OF_BOUNDS),
        fault(ViolationKind.OUT_OF_BOUNDS, array="a"),
        fault(ViolationKind.OUT_OF_BOUNDS, array="", threads=1),
        fault(ViolationKind.OUT_OF_BOUNDS, array="s", space=Space.SHARED),
    )
    found = diagnosed(context_with(facts, trace=Trace({}, violations=violations)))
    assert [str(f.message) for f in found if f.kind == "out-of-bounds"] == [
        "Out-of-bounds access: 38 threads leave c",
        "Out-of-bounds access: 38 threads leave a",
        "Out-of-bounds access: 1 thread leaves every array",
        "Out-of-bounds access: 38 threads leave s in shared memory",
    ]


def test_elements_with_several_writers_are_a_race_if_nothing_orders_them(
    facts: DiagnosticContext,
) -> None:
    seen = coverage([1] * 998 + [2, 2])
    race = Race(Space.GLOBAL, "c", 998, 4, 4, (FIRST, SECOND), 2)
    found = diagnosed(context_with(facts, trace=Trace({"c": seen}, races=(race,))))
    finding = only(found, "multiple-writers")
    assert str(finding.message) == "Multiple writers: 2 elements of c are written more than once"
    assert str(finding.detail) == "By blocks 0 and 1, without synchronization."
    assert finding.numbers == {"multi_writer": 2, "elements": 1000}
    assert verdict(found) == "race"
    assert not [f for f in found if f.kind == "race"], "one fault is told once"


def test_elements_that_are_written_again_in_order_are_a_way_to_work(
    facts: DiagnosticContext,
) -> None:
    found = diagnosed(context_with(facts, trace=Trace({"c": coverage([1] * 999 + [3])})))
    assert only(found, "multiple-writers").severity is Severity.NOTE
    assert verdict(found) == "ok"


def test_atomics_are_no_several_writers(facts: DiagnosticContext) -> None:
    seen = coverage([5] * 1000, [False] * 1000)
    kinds = {f.kind for f in diagnosed(context_with(facts, trace=Trace({"c": seen})))}
    assert "multiple-writers" not in kinds


def test_two_writers_of_one_block_are_named(facts: DiagnosticContext) -> None:
    one, other = FIRST, ThreadId(FIRST.block, Dim3(122, 0, 0))
    race = Race(Space.GLOBAL, "c", 999, 4, 4, (one, other))
    trace = Trace({"c": coverage([1] * 999 + [2])}, races=(race,))
    finding = only(diagnosed(context_with(facts, trace=trace)), "multiple-writers")
    assert str(finding.detail) == "By threads 90 and 122 of block 0, without synchronization."


def test_a_race_names_both_lines_and_threads(facts: DiagnosticContext) -> None:
    race = Race(Space.SHARED, "s", 31, 9, 13, (FIRST, ThreadId(FIRST.block, Dim3(31, 0, 0))), 7)
    found = diagnosed(context_with(facts, trace=Trace({}, races=(race, race))))
    finding = only(found, "race")
    assert str(finding.message) == "Data race: two threads access s[31] without synchronization"
    assert str(finding.detail) == (
        "Lines 9 and 13, shared memory: block 0, thread 90 and block 0, thread 31"
    )
    assert finding.numbers["count"] == 7
    assert verdict(found) == "race"


def test_a_barrier_that_some_never_reach(facts: DiagnosticContext) -> None:
    violation = fault(ViolationKind.BARRIER_DIVERGENCE, line=6, array="", index=0)
    trace = Trace({}, barrier_divergence=28, violations=(violation,))
    found = diagnosed(context_with(facts, trace=trace))
    finding = only(found, "barrier-divergence")
    assert str(finding.detail) == "Line 6: 28 of 1,024 threads never arrive"
    assert finding.where.line == 6
    assert verdict(found) == "race"


def test_a_read_of_what_nobody_wrote(facts: DiagnosticContext) -> None:
    violation = fault(
        ViolationKind.UNINITIALIZED, space=Space.SHARED, access=AccessKind.READ, array="s", index=7
    )
    found = diagnosed(context_with(facts, trace=Trace({}, violations=(violation,))))
    finding = only(found, "uninitialized-read")
    assert str(finding.detail).startswith("Line 4, block 0, thread 90. Shared memory")
    assert "Uninitialized read: s[7]" in str(finding.message)
    assert verdict(found) == "wrong-result"


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (ViolationKind.MISALIGNED, "out-of-bounds"),
        (ViolationKind.STACK_OVERFLOW, "out-of-bounds"),
        (ViolationKind.ASSERT, "wrong-result"),
    ],
)
def test_what_stops_a_gpu_is_an_error(
    facts: DiagnosticContext, kind: ViolationKind, word: str
) -> None:
    found = diagnosed(
        context_with(facts, trace=Trace({}, violations=(fault(kind, detail="x > 0"),)))
    )
    finding = only(found, kind.value)
    assert finding.severity is Severity.ERROR
    assert "x > 0" in str(finding.detail)
    assert verdict(found) == word


def site(**changes: object) -> Site:
    """A read of a by full warps, 128 bytes a request."""
    read = Site(4, None, AccessKind.READ, Space.GLOBAL, "a", 100, 400, 400, 0, 3200)
    return replace(read, **changes)  # type: ignore[arg-type]


def test_spread_accesses_are_told_worst_first(facts: DiagnosticContext) -> None:
    sites = (site(), site(line=5, sectors=800), site(line=6, sectors=3200, kind=AccessKind.WRITE))
    found = [
        f
        for f in diagnosed(context_with(facts, trace=Trace({}, sites=sites)))
        if f.kind in {"uncoalesced", "coalesced"}
    ]
    assert [str(f.message) for f in found] == [
        "Uncoalesced access: 32 sectors per request (ideal 4)",
        "Uncoalesced access: 8 sectors per request (ideal 4)",
    ]
    assert str(found[0].detail) == "Line 6, stores to a"
    assert found[0].severity is Severity.WARNING


def test_a_broadcast_is_not_spread(facts: DiagnosticContext) -> None:
    sites = (site(sectors=200, ideal_sectors=100),)
    found = diagnosed(context_with(facts, trace=Trace({}, sites=sites)))
    assert str(only(found, "coalesced").detail) == "2 sectors per request (ideal 1)"


def test_what_is_merely_slow_is_a_note_for_a_kernel_by_itself(h200: DeviceModel) -> None:
    facts = launch_context(
        h200, Launch(Dim3(4), Dim3(33)), trace=Trace({}, sites=(site(sectors=3200),))
    )
    severities = {f.severity for f in diagnosed(facts)}
    assert severities <= {Severity.NOTE, Severity.PASSED}


def test_bank_conflicts_are_passes_more(facts: DiagnosticContext) -> None:
    sites = (site(space=Space.SHARED, array="tile", bank_conflicts=3100, line=9), site())
    finding = only(diagnosed(context_with(facts, trace=Trace({}, sites=sites))), "bank-conflicts")
    assert str(finding.message) == "32-way bank conflicts on shared loads"
    assert finding.where.line == 9
    none = (site(space=Space.SHARED, array="tile"),)
    passed = only(diagnosed(context_with(facts, trace=Trace({}, sites=none))), "no-bank-conflicts")
    assert passed.severity is Severity.PASSED


def test_idle_lanes_are_told(facts: DiagnosticContext) -> None:
    trace = Trace({}, sites=(site(active_lanes=100, line=8), site()))
    finding = only(diagnosed(context_with(facts, trace=trace)), "divergence")
    assert str(finding.detail) == "Line 8: 3.1 % of the lanes are active"
    assert finding.severity is Severity.NOTE


def test_the_branch_that_parts_them_is_named(facts: DiagnosticContext) -> None:
    branches = (Branch(3, 9, 200, 0), Branch(7, 9, 100, 40), Branch(9, 9, 100, 100))
    trace = Trace({}, sites=(site(active_lanes=100, line=8),), branches=branches)
    finding = only(diagnosed(context_with(facts, trace=trace)), "divergence")
    told = "The branch in line 7 diverges 40 of 100 times."
    assert str(finding.detail) == f"Line 8: 3.1 % of the lanes are active. {told}"
    assert finding.numbers["diverged"] == 40


def test_a_kernel_that_was_stopped_is_told_in_the_words_of_who_stopped_it(
    facts: DiagnosticContext,
) -> None:
    found = diagnosed(
        context_with(
            facts, failure=literal("Timeout: the kernel ran longer than 10 s and was stopped.")
        )
    )
    assert (
        str(only(found, "kernel-failed").message)
        == "Timeout: the kernel ran longer than 10 s and was stopped."
    )


# What it costs -------------------------------------------------------------------------------


def test_a_block_that_does_not_fill_its_warps(facts: DiagnosticContext) -> None:
    finding = only(
        diagnosed(context_with(facts, launch=Launch(Dim3(10), Dim3(100)))), "partial-warp"
    )
    assert str(finding.message) == "Partial warp: 100 threads are not a multiple of 32"
    assert str(finding.detail) == "28 lanes of the last warp are idle."
    assert (finding.fixes[0].block, finding.fixes[0].grid) == (Dim3(128), Dim3(8))


def test_one_block_leaves_the_other_multiprocessors_idle(facts: DiagnosticContext) -> None:
    large = context_with(facts, launch=Launch(Dim3(1), Dim3(1024)), sizes={"n": 500_000})
    finding = only(diagnosed(large), "one-sm")
    assert str(finding.detail) == "The other 131 SMs stay idle. Launch more blocks."
    assert finding.severity is Severity.WARNING
    assert str(finding.fixes[0].title) == "1,954 blocks of 256"
    small = context_with(facts, launch=Launch(Dim3(1), Dim3(1024)))
    assert only(diagnosed(small), "one-sm").severity is Severity.NOTE


def test_the_last_wave_counts_while_there_are_few(
    facts: DiagnosticContext, h200: DeviceModel
) -> None:
    launch = Launch(Dim3(132 * 8 + 190), Dim3(256))
    filled = occupancy(h200, launch, Resources(registers=16))
    known = context_with(facts, launch=launch, occupancy=filled, sizes={"n": launch.threads})
    finding = only(diagnosed(known), "tail-effect")
    assert str(finding.message) == "Tail effect: the last wave fills 18 % of the slots"
    assert str(finding.detail) == "190 blocks in 1,056 slots"
    many = context_with(known, launch=Launch(Dim3(132 * 8 * 20 + 190), Dim3(256)))
    assert "tail-effect" not in {f.kind for f in diagnosed(many)}


def test_occupancy_names_what_holds_it_back_and_a_better_block(
    facts: DiagnosticContext, h200: DeviceModel
) -> None:
    launch = Launch(Dim3(32), Dim3(32))
    filled = occupancy(h200, launch, Resources(registers=16))
    known = context_with(facts, launch=launch, occupancy=filled, resources=Resources(registers=16))
    finding = only(diagnosed(known), "low-occupancy")
    assert str(finding.message) == "Low occupancy: 50 %, limited by blocks"
    assert str(finding.detail) == "32 of 64 warps per SM"
    assert str(finding.fixes[0].title) == "Try 256 threads"


def test_copies_are_held_against_the_kernel(facts: DiagnosticContext) -> None:
    def timing(key: SeriesKey, seconds: float, source: Provenance) -> Timing:
        return Timing(key, literal(key.value), Samples((seconds,)), source, "H200")

    times = (
        timing(SeriesKey.H2D, 3e-4, Provenance.MODELED),
        timing(SeriesKey.D2H, 1e-4, Provenance.MODELED),
        timing(SeriesKey.KERNEL, 4e-6, Provenance.MODELED),
    )
    finding = only(diagnosed(context_with(facts, timings=times)), "copies-dominate")
    assert str(finding.message) == "Copies dominate: 99 % of the GPU time"
    assert "4 µs in the kernel" in str(finding.detail)
    assert finding.numbers["provenance"] == "modeled"
    short = (*times[:2], timing(SeriesKey.KERNEL, 1e-6, Provenance.MODELED))
    finding = only(diagnosed(context_with(facts, timings=short)), "copies-dominate")
    assert str(finding.message) == "Copies dominate: 99.8 % of the GPU time"
    mixed = (*times[:2], timing(SeriesKey.KERNEL, 4e-6, Provenance.MEASURED))
    assert "copies-dominate" not in {f.kind for f in diagnosed(context_with(facts, timings=mixed))}


def test_copies_and_kernel_come_to_the_median_of_their_sums(facts: DiagnosticContext) -> None:
    """The bars show that one; it is not the sum of the medians."""

    def timing(key: SeriesKey, *seconds: float) -> Timing:
        return Timing(key, literal(key.value), Samples(seconds), Provenance.MEASURED, "H200")

    parts = (
        timing(SeriesKey.H2D, 3e-4, 5e-4, 4e-4),
        timing(SeriesKey.D2H, 3e-4, 1e-4, 4e-4),
        timing(SeriesKey.KERNEL, 1e-4, 1e-4, 1e-4),
    )
    finding = only(diagnosed(context_with(facts, timings=parts)), "copies-dominate")
    assert "800 µs in total" in str(finding.detail)
    total = timing(SeriesKey.TOTAL, 7e-4, 7e-4, 9e-4)
    finding = only(diagnosed(context_with(facts, timings=(*parts, total))), "copies-dominate")
    assert "700 µs in total" in str(finding.detail)
    assert finding.numbers["copies_s"] == pytest.approx(6e-4)
    assert str(finding.message) == "Copies dominate: 86 % of the GPU time"
