# SPDX-License-Identifier: MIT
"""NVIDIA's compiler beside emulated runs: what it tells, when, and who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from threadloom.backends.base import CompileError
from threadloom.backends.nvcc import Assembled, DeviceCompiler, device_compiler
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Verdict
from threadloom.model.job import EngineChoice, Job
from threadloom.model.message import literal
from threadloom.model.occupancy import Limiter
from threadloom.model.program import Diagnostic, Program, Resources
from threadloom.model.run import Run
from threadloom.model.run_change import Part, updated
from threadloom.model.severity import Severity
from threadloom.services.bench.measure import Measurements
from threadloom.services.doctor import verdict
from threadloom.services.messages.run import ResourcesRequest, RunProgress, RunRequest
from threadloom.services.run.cached_inputs import PreparedProblems
from threadloom.services.run.device_compile import Assembling, Assembly, assembled, better_worded
from threadloom.services.run.engines import Engines
from threadloom.services.run.resolve import JobError
from threadloom.services.run.runner import Runner
from threadloom.worker.protocol import Cancelled

Listener = Any  # of conftest.py
ADD = Job("vector_add", "grid", {"n": 1000}, engine=EngineChoice.EMULATOR)
MANY_REGISTERS = """\
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r[96];
#pragma unroll
    for (int k = 0; k < 96; ++k) r[k] = a[(i + k) % n];
    for (int step = 0; step < n / 500; ++step) {
#pragma unroll
        for (int k = 0; k < 96; ++k) r[k] = r[k] * r[(k + 1) % 96] + b[step];
    }
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < 96; ++k) s += r[k];
    c[i] = s;
}
"""
TWO_BOUNDS = """\
__global__ void __launch_bounds__(128) __maxnreg__(32)
vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
"""The emulator has no registers to bound, so it takes both."""
MUCH_CONSTANT = """\
__constant__ float weights[20000];
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i] + weights[i];
}
"""


@pytest.fixture(scope="module")
def compiler() -> DeviceCompiler:
    found = device_compiler()
    if found is None:
        pytest.skip("neither NVRTC (the extra nvcc) nor nvcc is installed")
    return found


class HeldAssembly(Assembly):
    """The real compiler, which begins only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def begin(self, program: Program, device: DeviceModel) -> Assembling | None:
        compiler = self.compiler
        assert compiler is not None

        def work() -> Assembled:
            self.gate.wait(30)
            return assembled(program, device, compiler)

        return Assembling(work)


class NoCompiler(Assembly):
    """A machine without NVIDIA's compiler."""

    @property
    def compiler(self) -> None:
        return None


@pytest.fixture
def held() -> Iterator[HeldAssembly]:
    made = HeldAssembly()
    yield made
    made.gate.set()


def runner(assembly: Assembly | None = None) -> Runner:
    return Runner(Engines(), PreparedProblems(), Measurements(), assembly)


def kinds(result: Run) -> set[str]:
    return {finding.kind for finding in result.findings}


@pytest.fixture
def gated() -> Iterator[Callable[[Assembled | Exception], tuple[Assembling, threading.Event]]]:
    gates: list[threading.Event] = []

    def make(outcome: Assembled | Exception) -> tuple[Assembling, threading.Event]:
        gate = threading.Event()
        gates.append(gate)

        def work() -> Assembled:
            gate.wait(30)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return Assembling(work), gate

    yield make
    for gate in gates:
        gate.set()


def test_an_answer_is_taken_when_it_is_there(gated: Any) -> None:
    told = Assembled(Resources(registers=8))
    assembling, gate = gated(told)
    assert not assembling.done
    assert assembling.answer(0.0, lambda: None) is None
    assert assembling.answer(0.03, lambda: None) is None
    gate.set()
    assert assembling.answer(30.0, lambda: None) is told
    assert assembling.done


def test_a_wait_that_is_not_wanted_any_more_ends(gated: Any, listener: Listener) -> None:
    assembling, _gate = gated(Assembled())
    listener.cancel_after = 0
    with pytest.raises(Cancelled):
        assembling.answer(30.0, listener.check)


def test_what_was_not_expected_comes_out_where_the_answer_is_taken(gated: Any) -> None:
    assembling, gate = gated(ZeroDivisionError("no"))
    gate.set()
    with pytest.raises(ZeroDivisionError):
        assembling.answer(30.0, lambda: None)


@pytest.mark.usefixtures("compiler")
def test_an_emulated_run_tells_registers(listener: Listener) -> None:
    result = runner().run(RunRequest(ADD, timings=False), listener)
    assert result.matches
    assert not result.pending
    assert result.resources is not None
    assert result.resources.registers is not None
    assert 4 < result.resources.registers < 40
    assert result.resources.max_threads_per_block == 1024


def test_without_a_compiler_registers_are_not_known(listener: Listener) -> None:
    result = runner(NoCompiler()).run(RunRequest(ADD, timings=False), listener)
    assert result.matches
    assert not result.pending
    assert result.resources is not None
    assert result.resources.registers is None


@pytest.mark.usefixtures("compiler")
def test_registers_limit_occupancy_and_the_block(listener: Listener) -> None:
    made = runner()
    job = replace(ADD, source=MANY_REGISTERS, block=Dim3(256))
    result = made.run(RunRequest(job, timings=False), listener)
    assert result.occupancy is not None
    assert result.occupancy.limiter is Limiter.REGISTERS
    assert result.launched
    refused = made.run(RunRequest(replace(job, block=Dim3(1024)), timings=False), listener)
    (finding,) = (f for f in refused.findings if f.kind == "registers")
    assert finding.verdict == verdict(refused.findings) == "launch-error"
    assert str(finding.message) == "Too many registers for a block of 1,024 threads"
    assert not refused.launched
    fix = finding.fixes[0]
    fixed = made.run(
        RunRequest(replace(job, block=fix.block, grid=fix.grid), timings=False), listener
    )
    assert fixed.launched
    assert "registers" not in kinds(fixed)


@pytest.mark.usefixtures("compiler")
def test_what_only_nvidias_compiler_refuses_is_a_finding(listener: Listener) -> None:
    job = replace(ADD, source=TWO_BOUNDS, block=Dim3(128))
    result = runner().run(RunRequest(job, timings=False), listener)
    assert verdict(result.findings) == "compile-error"
    (finding,) = (f for f in result.findings if f.verdict == Verdict.COMPILE_ERROR)
    assert str(finding.message).startswith(
        "Line 2: The __launch_bounds__ and __maxnreg__ qualifiers"
    )
    assert not result.launched
    assert result.trace is None


def test_more_constant_memory_than_there_is_needs_no_compiler_of_nvidias(
    listener: Listener,
) -> None:
    result = runner().run(RunRequest(replace(ADD, source=MUCH_CONSTANT), timings=False), listener)
    assert verdict(result.findings) == "compile-error"
    (finding,) = (f for f in result.findings if f.verdict == Verdict.COMPILE_ERROR)
    assert str(finding.message) == (
        "Line 1: The file declares 80,000 bytes of constant memory; 65,536 are allowed."
    )
    assert not result.launched


def test_a_result_does_not_wait_and_is_completed(
    compiler: DeviceCompiler, held: HeldAssembly, listener: Listener
) -> None:
    made = runner(held)
    first = made.run(RunRequest(ADD, timings=False, nvcc_wait_s=0.0), listener)
    assert first.matches
    assert first.pending
    assert first.resources is not None
    assert first.resources.registers is None
    held.gate.set()
    rest = made.complete(ResourcesRequest(ADD), listener)
    assert not rest.pending
    assert rest.resources is not None
    assert rest.resources.registers
    assert kinds(rest) >= kinds(first)
    assert rest.observation is None
    assert updated(first, rest, frozenset({Part.COMPILATION, Part.FINDINGS})).matches
    with pytest.raises(JobError):
        made.complete(ResourcesRequest(ADD), listener)


def test_another_jobs_rest_is_not_given(
    compiler: DeviceCompiler, held: HeldAssembly, listener: Listener
) -> None:
    made = runner(held)
    assert made.run(RunRequest(ADD, timings=False, nvcc_wait_s=0.0), listener).pending
    with pytest.raises(JobError):
        made.complete(ResourcesRequest(replace(ADD, seed=1)), listener)


def test_a_late_refusal_takes_the_run_back(
    compiler: DeviceCompiler, held: HeldAssembly, listener: Listener
) -> None:
    job = replace(ADD, source=MANY_REGISTERS, block=Dim3(1024))
    made = runner(held)
    first = made.run(RunRequest(job, timings=False, nvcc_wait_s=0.0), listener)
    assert first.launched
    held.gate.set()
    rest = made.complete(ResourcesRequest(job), listener)
    assert verdict(rest.findings) == "launch-error"
    assert not rest.comparisons


def test_nothing_is_timed_while_it_works(
    compiler: DeviceCompiler, held: HeldAssembly, listener: Listener
) -> None:
    """Baselines on this CPU are timed only after it; later runs know them and do not wait."""
    stages: list[str] = []
    send = listener.progress

    def progress(message: object) -> None:
        assert isinstance(message, RunProgress)
        stages.append(message.stage)
        if stages.count("compiling") == 2:
            held.gate.set()
        send(message)

    listener.progress = progress
    made = runner(held)
    first = made.run(RunRequest(ADD, nvcc_wait_s=0.0), listener)
    assert stages == ["compiling", "running", "compiling", "timing"]
    assert not first.pending
    held.gate.clear()
    again = made.run(RunRequest(ADD, nvcc_wait_s=0.0), listener)
    assert again.pending
    assert again.timings


def test_words_for_cuda_replace_words_for_c() -> None:
    told = Assembled(
        errors=(Diagnostic(Severity.ERROR, literal("a kernel returns nothing"), 1, 1, "raw"),)
    )
    note = Diagnostic(Severity.NOTE, literal("Host code is ignored: main."), 9)
    foreign = Diagnostic(
        Severity.ERROR, literal("no template"), None, None, "f.cu:1:1: error: no template"
    )
    worded = Diagnostic(
        Severity.ERROR, literal('expected a ";"'), 1, 9, "f.cu:1:9: error: expected ';'"
    )
    own = Diagnostic(Severity.ERROR, literal("Inline assembly does not run."), 3)
    better = better_worded(CompileError((foreign, note), "log"), told)
    assert better.diagnostics == (*told.errors, note)
    assert better_worded(CompileError((), "log"), told).diagnostics == told.errors
    for kept in (worded, own):
        assert better_worded(CompileError((kept,)), told).diagnostics == (kept,)
    for silent in (None, Assembled()):
        assert better_worded(CompileError((foreign,)), silent).diagnostics == (foreign,)
