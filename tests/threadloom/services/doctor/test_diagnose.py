# SPDX-License-Identifier: MIT
"""Findings of launches that a device refuses, or that leave elements out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.run_records import context_with, diagnosed, launch_context

from threadloom.model.comparison import Comparison
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.operation import Operation
from threadloom.model.program import Resources, Signature
from threadloom.model.severity import Severity
from threadloom.model.trace import Coverage, Trace
from threadloom.services.doctor import DiagnosticContext, verdict
from threadloom.services.doctor.diagnose import VERDICTS


def only(found: tuple[Finding, ...], kind: str) -> Finding:
    """The one finding of this kind."""
    (finding,) = [f for f in found if f.kind == kind]
    return finding


@pytest.fixture
def half_million(h200: DeviceModel, line: Operation) -> DiagnosticContext:
    """The article's ``<<<1, 500000>>>``."""
    launch = Launch(Dim3(1), Dim3(500_000))
    return launch_context(
        h200, launch, operation=line, variant=line.variant("one_block"), sizes={"n": 500_000}
    )


def test_a_block_of_half_a_million_threads_goes_over_to_the_grid(
    half_million: DiagnosticContext,
) -> None:
    found = diagnosed(half_million)
    finding = only(found, "block-too-large")
    assert (
        str(finding.message)
        == "Block too large: 500,000 threads, this device allows 1,024 per block"
    )
    assert finding.numbers == {"threads": 500_000, "limit": 1024}
    assert finding.stops_launch
    assert finding.control == "block.x"
    assert [str(fix.title) for fix in finding.fixes] == [
        "1,954 blocks of 256",
        "489 blocks of 1,024",
    ]
    first = finding.fixes[0]
    assert (first.variant, first.grid, first.block) == ("grid", Dim3(1954), Dim3(256))
    assert verdict(found) == "launch-error"
    assert "block-axis-too-large" not in {f.kind for f in found}


def test_a_block_too_deep_is_cut(h200: DeviceModel) -> None:
    finding = only(
        diagnosed(launch_context(h200, Launch(Dim3(2), Dim3(1, 1, 100)))), "block-axis-too-large"
    )
    assert str(finding.message) == "Block z is 100; this device allows 64"
    cut = finding.fixes[0]
    assert (str(cut.title), cut.block, cut.grid) == ("Set z to 64", Dim3(1, 1, 64), Dim3(2, 1, 2))


def test_a_square_block_with_too_large_a_product_gets_smaller_squares(h200: DeviceModel) -> None:
    finding = only(
        diagnosed(launch_context(h200, Launch(Dim3(2, 2), Dim3(64, 64)))), "block-too-large"
    )
    assert finding.numbers["threads"] == 4096
    assert [(f.block, f.grid) for f in finding.fixes] == [
        (Dim3(16, 16), Dim3(8, 8)),
        (Dim3(32, 32), Dim3(4, 4)),
    ]


@pytest.mark.parametrize("asked", [0, -3, -(2**31)])
def test_no_blocks_at_all_is_refused(h200: DeviceModel, line: Operation, asked: int) -> None:
    launch = Launch(Dim3(asked), Dim3(256))
    facts = launch_context(
        h200, launch, operation=line, variant=line.variant("grid"), sizes={"n": 1000}
    )
    finding = only(diagnosed(facts), "grid-not-positive")
    assert finding.numbers["asked"] == asked
    assert [str(fix.title) for fix in finding.fixes] == ["Use 4 blocks"]
    assert finding.fixes[0].grid_follows_size is True


def test_an_empty_block_is_refused(h200: DeviceModel, line: Operation) -> None:
    launch = Launch(Dim3(4), Dim3(0))
    facts = launch_context(
        h200, launch, operation=line, variant=line.variant("grid"), sizes={"n": 1000}
    )
    finding = only(diagnosed(facts), "block-not-positive")
    assert str(finding.message).startswith("Block x is 0;")
    assert [str(fix.title) for fix in finding.fixes] == ["4 blocks of 256", "1 block of 1,024"]


def test_a_grid_that_is_long_on_the_wrong_axis_is_swapped(
    h200: DeviceModel, line: Operation
) -> None:
    launch = Launch(Dim3(1, 100_000), Dim3(256))
    sizes = {"n": 25_600_000}
    facts = launch_context(h200, launch, operation=line, variant=line.variant("grid"), sizes=sizes)
    finding = only(diagnosed(facts), "grid-axis-too-large")
    assert str(finding.message) == "Grid y is 100,000; this device allows 65,535"
    assert str(finding.detail) == "The limit for x is 2,147,483,647."
    assert (str(finding.fixes[0].title), finding.fixes[0].grid) == ("Swap x and y", Dim3(100_000))


def test_a_grid_with_too_many_rows_gets_taller_blocks(h200: DeviceModel) -> None:
    finding = only(
        diagnosed(launch_context(h200, Launch(Dim3(1, 65536), Dim3(32, 2)))), "grid-axis-too-large"
    )
    fix = finding.fixes[0]
    assert (str(fix.title), fix.block, fix.grid) == (
        "Use 32 × 4 blocks",
        Dim3(32, 4),
        Dim3(1, 32768),
    )


def test_too_many_registers_make_the_block_smaller(h200: DeviceModel) -> None:
    facts = launch_context(h200, Launch(Dim3(1), Dim3(1024)), resources=Resources(registers=128))
    finding = only(diagnosed(facts), "registers")
    assert (
        str(finding.detail)
        == "128 per thread × 1,024 exceeds 65,536 per block. Use a smaller block."
    )
    assert finding.fixes[0].block == Dim3(512)
    assert finding.fixes[0].grid == Dim3(2)


def with_shared(h200: DeviceModel, line: Operation, size: int) -> DiagnosticContext:
    """Vector copy with so much dynamic shared memory."""
    launch = Launch(Dim3(4), Dim3(256), size)
    return launch_context(
        h200, launch, operation=line, variant=line.variant("grid"), sizes={"n": 1000}
    )


def test_shared_memory_past_the_last_limit_is_refused(h200: DeviceModel, line: Operation) -> None:
    finding = only(diagnosed(with_shared(h200, line, 300_000)), "shared-memory")
    assert finding.severity is Severity.ERROR
    assert (
        str(finding.message)
        == "Too much shared memory: the block needs 293 KiB, the limit is 227 KiB"
    )
    assert finding.numbers == {"asked": 300_000, "limit": 232_448}
    assert finding.fixes[0].shared_bytes == 0


def test_shared_memory_past_the_usual_limit_is_told_but_runs(
    h200: DeviceModel, line: Operation
) -> None:
    found = diagnosed(with_shared(h200, line, 100_000))
    assert only(found, "shared-memory").severity is Severity.NOTE
    assert verdict(found) == "ok"


def test_a_kernel_by_itself_has_the_usual_shared_memory(h200: DeviceModel) -> None:
    found = diagnosed(launch_context(h200, Launch(Dim3(1), Dim3(64), 100_000)))
    finding = only(found, "shared-memory")
    assert (
        str(finding.message)
        == "Too much shared memory: the block needs 97.7 KiB, the limit is 48 KiB"
    )
    assert "227 KiB" in str(finding.detail)
    assert finding.fixes[0].shared_bytes == 49_152
    assert verdict(found) == "launch-error"


def test_launch_bounds_are_kept(h200: DeviceModel) -> None:
    signature = Signature("k", (), 3, launch_bounds=128)
    found = diagnosed(launch_context(h200, Launch(Dim3(2), Dim3(256)), signature=signature))
    finding = only(found, "launch-bounds")
    assert finding.numbers == {"threads": 256, "limit": 128}
    assert (finding.fixes[0].block, finding.fixes[0].grid) == (Dim3(128), Dim3(4))
    assert verdict(found) == "launch-error"


def test_a_kernel_for_one_shape_of_block_says_so(h200: DeviceModel, plane: Operation) -> None:
    facts = launch_context(
        h200,
        Launch(Dim3(32, 32), Dim3(32, 32)),
        operation=plane,
        variant=plane.variant("tiled"),
        sizes={"rows": 1000, "cols": 1000},
    )
    finding = only(diagnosed(facts), "block-not-valid")
    assert str(finding.detail) == "Tiles are 16 × 16."
    assert [fix.block for fix in finding.fixes] == [Dim3(16, 16)]


def covered(elements: int, written: int) -> Trace:
    """A run that wrote the first so many elements of c, each once."""
    writes = (np.arange(elements) < written).astype(np.uint32)
    owner = np.where(writes > 0, np.arange(elements), -1)
    coverage = Coverage("c", (elements,), owner, writes, writes * 0, writes > 1)
    return Trace({"c": coverage})


def test_elements_left_out_are_counted_and_reached(h200: DeviceModel, line: Operation) -> None:
    facts = launch_context(
        h200,
        Launch(Dim3(3), Dim3(256)),
        operation=line,
        variant=line.variant("grid"),
        sizes={"n": 1000},
        trace=covered(1000, 768),
    )
    finding = only(diagnosed(facts), "uncovered")
    assert str(finding.message) == "Uncovered: 232 elements of c are never written"
    assert str(finding.detail) == "The launch covers 768 of 1,000 elements."
    assert finding.where.index == 768
    assert [str(fix.title) for fix in finding.fixes] == ["Use 4 blocks"]


def test_a_wrong_element_is_shown(h200: DeviceModel) -> None:
    comparison = Comparison("c", 500_000, 4096, 2.5, 1e-6, first=7, got=1.0, expected=3.5)
    found = diagnosed(launch_context(h200, Launch(Dim3(1), Dim3(64)), comparisons=(comparison,)))
    finding = only(found, "mismatch")
    assert str(finding.message) == "Mismatch: 4,096 of 500,000 elements of c differ from NumPy"
    assert str(finding.detail) == "c[7] is 1; NumPy gives 3.5"
    assert verdict(found) == "wrong-result"


def test_a_mismatch_has_the_fixes_of_its_cause(h200: DeviceModel, line: Operation) -> None:
    """The card that comes first is the one whose button is pressed."""
    missing = Comparison("c", 1000, 232, math.inf, 1e-6, first=768, got=math.nan, expected=3.5)
    facts = launch_context(
        h200,
        Launch(Dim3(3), Dim3(256)),
        operation=line,
        variant=line.variant("grid"),
        sizes={"n": 1000},
        trace=covered(1000, 768),
        comparisons=(missing,),
    )
    first = diagnosed(facts)[0]
    assert (first.kind, first.severity) == ("mismatch", Severity.ERROR)
    assert str(first.detail) == "No thread writes them."
    assert [(str(fix.title), fix.grid) for fix in first.fixes] == [("Use 4 blocks", Dim3(4))]
    for other in (
        replace(missing, mismatches=233),
        replace(missing, first=7, got=1.0),
    ):
        wrong = only(diagnosed(context_with(facts, comparisons=(other,))), "mismatch")
        assert wrong.fixes == ()
        assert "NumPy gives 3.5" in str(wrong.detail)


def test_worse_findings_come_first(half_million: DiagnosticContext) -> None:
    comparison = Comparison("c", 10, 0, 0.0, 0.0)
    facts = context_with(half_million, comparisons=(comparison,), trace=covered(500_000, 1))
    ranks = [list(Severity).index(f.severity) for f in diagnosed(facts)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1


def test_the_verdict_keeps_the_stated_order() -> None:
    findings = [Finding("x", Severity.ERROR, literal("x"), verdict=word) for word in VERDICTS]
    for place, word in enumerate(VERDICTS):
        assert verdict([*findings[:place:-1], findings[place]]) == word
    assert verdict([]) == "ok"
