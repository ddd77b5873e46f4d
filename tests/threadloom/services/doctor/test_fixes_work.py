# SPDX-License-Identifier: MIT
"""Every fix of every bad launch leads to one that the device takes and that covers everything."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.run_records import diagnosed, launch_context

from threadloom.model.apply_fix import apply_fix
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation
from threadloom.model.program import Resources
from threadloom.services.doctor import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import covers
from threadloom.services.doctor.legality import is_legal
from threadloom_kernels import default_launch, discover

VARIANTS = [(op.name, variant.name) for op in discover().values() for variant in op.variants]
AWKWARD = [-(2**31), -1, 0, 1, 2, 31, 33, 64, 65, 1000, 1024, 1025, 65_535, 65_536, 2**31]

block_extent = st.one_of(st.integers(1, 70), st.sampled_from(AWKWARD))
grid_extent = st.one_of(st.integers(1, 5000), st.sampled_from(AWKWARD))


@cache
def operations() -> dict[str, Operation]:
    """Those that ship with the program."""
    return discover()


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    """Jobs for real operations, with launches that are mostly bad."""
    name, variant = draw(st.sampled_from(VARIANTS))
    operation = operations()[name]
    extent = st.sampled_from([1, 2, 31, 33, 999, 1024, 1025, 70_000, 500_000])
    most = 4_000_000 if len(operation.axes) == 1 else 20_000
    sizes = {a.name: max(a.minimum, min(draw(extent), most)) for a in operation.axes}
    block = Dim3(draw(block_extent), draw(block_extent), draw(block_extent))
    if draw(st.booleans()):
        block = Dim3(block.x, draw(st.sampled_from([1, block.y])), 1)
    grid = Dim3(draw(grid_extent), draw(grid_extent), draw(st.sampled_from([1, 1, 0, 65_536])))
    if draw(st.booleans()):
        grid = Dim3(grid.x)
    shared = draw(st.sampled_from([None, None, 0, 1024, 60_000, 300_000, -4]))
    return Job(name, variant, sizes, block=block, grid=grid, shared_bytes=shared)


def facts_of(job: Job, device: DeviceModel, registers: int | None = None) -> DiagnosticContext:
    """What is known of a job before it runs."""
    operation = operations()[job.operation]
    variant = operation.variant(job.variant)
    ruled = default_launch(variant, job.sizes, 4, job.block)
    shared = ruled.shared_bytes if job.shared_bytes is None else job.shared_bytes
    launch = Launch(job.grid or ruled.grid, ruled.block, shared)
    return launch_context(
        device,
        launch,
        job=job,
        operation=operation,
        variant=variant,
        sizes=job.sizes,
        resources=Resources(registers=registers),
    )


def every_fix(found: tuple[Finding, ...]) -> list[tuple[Finding, Fix]]:
    """Each fix with what it is for."""
    return [(finding, fix) for finding in found for fix in finding.fixes]


@given(job=jobs(), registers=st.sampled_from([None, 16, 40, 128, 255]))
@example(
    job=Job("vector_add", "one_block", {"n": 500_000}, block=Dim3(500_000), grid=Dim3(1)),
    registers=None,
)
def test_a_fix_leaves_nothing_of_its_kind(
    h200: DeviceModel, job: Job, registers: int | None
) -> None:
    facts = facts_of(job, h200, registers)
    for finding, fix in every_fix(diagnosed(facts)):
        fixed = apply_fix(job, fix)
        same_kernel = fixed.variant == job.variant
        after = facts_of(fixed, h200, registers if same_kernel else None)
        context = (str(finding.message), fix, after.run.launch)
        assert is_legal(after.run.launch, h200, after.run.resources), context
        assert after.variant is not None
        assert covers(after, after.run.launch, after.variant), context
        left = diagnosed(after)
        assert not [f for f in left if f.kind == finding.kind and f.stops_launch], context
        assert not [f for f in left if f.stops_launch], context


@given(job=jobs())
def test_a_launch_that_the_rule_gives_has_no_fault(h200: DeviceModel, job: Job) -> None:
    variant = operations()[job.operation].variant(job.variant)
    block = variant.rule.block(job.sizes)
    ruled = replace(job, block=block, grid=None, shared_bytes=None)
    facts = facts_of(ruled, h200)
    stopping = [f.kind for f in diagnosed(facts) if f.stops_launch]
    if is_legal(facts.run.launch, h200):
        assert not stopping
    else:
        assert stopping


@given(job=jobs())
def test_a_launch_is_refused_exactly_if_the_device_would(h200: DeviceModel, job: Job) -> None:
    facts = facts_of(job, h200)
    refused = [f for f in diagnosed(facts) if f.stops_launch and f.kind != "block-not-valid"]
    assert bool(refused) == (not is_legal(facts.run.launch, h200))
    for finding in refused:
        assert finding.control
        assert finding.numbers


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
@pytest.mark.parametrize("block", [Dim3(0), Dim3(2048), Dim3(1, 1, 65), Dim3(64, 64)])
def test_every_kernel_has_a_way_out_of_a_refused_block(
    h200: DeviceModel, name: str, variant: str, block: Dim3
) -> None:
    sizes = {axis.name: max(axis.minimum, 300) for axis in operations()[name].axes}
    facts = facts_of(Job(name, variant, sizes, block=block), h200)
    refused = [f for f in diagnosed(facts) if f.stops_launch]
    assert any(finding.fixes for finding in refused), [str(f.message) for f in refused]
