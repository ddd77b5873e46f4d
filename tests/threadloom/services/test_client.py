# SPDX-License-Identifier: MIT
"""Requests through real children, and the rules of limits and failures with a pool that is told."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from queue import Queue
from typing import Any, cast

import pytest

from threadloom.model.case import Case
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Run, Target
from threadloom.model.severity import Severity
from threadloom.services import client as module
from threadloom.services.client import EXTENSION_S, POINT_S, Client, ask, grace_s
from threadloom.services.devices.device_table import find
from threadloom.services.doctor.cases.check import check_case
from threadloom.services.messages.devices import DevicesRequest
from threadloom.services.messages.run import ResourcesRequest, RunProgress, RunRequest, Stage
from threadloom.services.messages.sweep import SweepRequest
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason, Outcome, RequestFailedError
from threadloom.worker.supervisor import GRACE_S
from threadloom.worker.time_limit import Clock, TimeLimit

LIMIT_S = 60.0
ADD = Job("vector_add", "grid", {"n": 1000}, engine=EngineChoice.EMULATOR)
RUN = RunRequest(ADD, timings=False, nvcc_wait_s=0.0)
ENDLESS = """__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    volatile int go = 1;
    while (go) { go = go | 1; }
}
"""
CRASH = Outcome(ExitReason.CRASHED, signal_name="SIGSEGV")


class ToldPool:
    """Notes what it is given, and sends the events that the test says."""

    def __init__(
        self, handler: object, on_event: Callable[[Event], None], **options: object
    ) -> None:
        self.send = on_event
        self.requests: list[Any] = []
        self.limits: list[TimeLimit] = []
        self.graces: list[float] = []
        self.shards: Sequence[object] = ()

    def submit(self, number: int, request: object, limit: TimeLimit, *, grace_s: float) -> None:
        self.requests.append(request)
        self.limits.append(limit)
        self.graces.append(grace_s)

    def submit_shards(
        self,
        number: int,
        shards: Sequence[object],
        merge: object,
        limit: TimeLimit,
        *,
        grace_s: float,
    ) -> None:
        self.shards = shards
        self.graces.append(grace_s)

    def change_limit(self, number: int, limit: TimeLimit) -> None:
        self.limits.append(limit)


class Caller:
    """A client over such a pool, with the events that it gives."""

    def __init__(self, **options: Any) -> None:
        self.events: list[Event] = []
        self.client = Client(self.events.append, **options)
        self.pool: ToldPool = cast("ToldPool", self.client._pool)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Pool", ToldPool)


@pytest.fixture
def caller(told: None) -> Caller:
    return Caller()


def test_the_child_is_killed_later_than_the_emulator_stops_a_kernel() -> None:
    assert grace_s(2.0) == 1.0
    assert grace_s(60.0) == 6.0


def test_an_emulated_kernel_is_limited_by_processor_time(caller: Caller) -> None:
    number = caller.client.submit(RUN, 10.0)
    assert caller.pool.requests[0].kernel_limit_s == 10.0
    caller.pool.send(Progressed(number, RunProgress(Stage.COMPILING, engine=Engine.EMULATOR)))
    caller.pool.send(Progressed(number, RunProgress(Stage.RUNNING, engine=Engine.EMULATOR)))
    caller.pool.send(Progressed(number, RunProgress(Stage.TIMING, engine=Engine.EMULATOR)))
    whole, kernel = TimeLimit(20.0 + EXTENSION_S), TimeLimit(10.0, Clock.PROCESSOR, 1.0)
    assert caller.pool.limits == [whole, whole, kernel, whole]
    assert len(caller.events) == 3


def test_a_kernel_on_a_gpu_is_limited_by_the_wall_clock(caller: Caller) -> None:
    number = caller.client.submit(RUN, 10.0)
    caller.pool.send(Progressed(number, RunProgress(Stage.RUNNING, engine=Engine.GPU)))
    assert caller.pool.limits[-1] == TimeLimit(10.0, Clock.WALL, 1.0)
    caller.pool.send(Progressed(number, RunProgress(Stage.OBSERVING, engine=Engine.GPU)))
    assert caller.pool.limits[-1].clock is Clock.PROCESSOR


@pytest.mark.parametrize("request_", [DevicesRequest(), ResourcesRequest(ADD)])
def test_other_requests_have_the_limit_that_they_are_given(caller: Caller, request_: Any) -> None:
    caller.client.submit(request_, 7.0)
    assert caller.pool.limits == [TimeLimit(7.0)]


def test_a_sweep_that_is_waited_for_may_end_its_point(told: None) -> None:
    sweep = SweepRequest(ADD, (16, 32))
    for interactive, expected in ((True, GRACE_S), (False, POINT_S)):
        caller = Caller(interactive=interactive)
        caller.client.submit(sweep, LIMIT_S)
        caller.client.submit(sweep, LIMIT_S, (0, 1))
        assert caller.pool.graces == [expected, POINT_S]
        assert len(caller.pool.shards) == 2


@pytest.mark.parametrize(
    "outcome",
    [
        CRASH,
        Outcome(ExitReason.EXITED, status=7),
        Outcome(ExitReason.TIMEOUT, limit_s=10.0, clock=Clock.PROCESSOR),
        Outcome(ExitReason.OUT_OF_MEMORY, memory_bytes=1 << 30),
    ],
    ids=lambda outcome: outcome.reason.value,
)
def test_a_kernel_that_fails_is_a_finding_of_a_result(caller: Caller, outcome: Outcome) -> None:
    number = caller.client.submit(RUN, 10.0)
    device = find("H200")
    progress = RunProgress(Stage.RUNNING, engine=Engine.GPU, device=device)
    caller.pool.send(Progressed(number, progress))
    caller.pool.send(Failed(number, outcome))
    finished = caller.events[-1]
    assert isinstance(finished, Finished)
    result = finished.result
    assert isinstance(result, Run)
    assert (result.engine, result.device) == (Engine.GPU, device)
    failed = result.findings[0]
    assert (failed.kind, str(failed.message)) == ("kernel-failed", str(outcome.message))


def test_what_was_sent_ahead_of_a_failure_is_kept(caller: Caller) -> None:
    number = caller.client.submit(RUN, 10.0)
    known = Finding("matches", Severity.PASSED, literal("Matches NumPy"))
    target = Target(Launch(Dim3(4), Dim3(256)), find("H200"))
    ahead = Run(ADD, target, Compilation(compile_s=3.0), findings=(known,))
    caller.pool.send(Progressed(number, ahead))
    caller.pool.send(Failed(number, CRASH))
    finished = caller.events[-1]
    assert isinstance(finished, Finished)
    assert isinstance(finished.result, Run)
    assert finished.result.compilation is ahead.compilation
    assert finished.result.failure == CRASH.message
    assert {"kernel-failed", "matches"} <= {f.kind for f in finished.result.findings}


@pytest.mark.parametrize(
    ("request_", "outcome"),
    [
        (RUN, Outcome(ExitReason.CANCELLED)),
        (RUN, Outcome(ExitReason.NOT_STARTED)),
        (RUN, Outcome(ExitReason.ERROR, error=ValueError("no"))),
        (DevicesRequest(), CRASH),
        (RunRequest(Job("no_such_operation", "", {})), CRASH),
    ],
)
def test_other_failures_stay_failures(caller: Caller, request_: Any, outcome: Outcome) -> None:
    number = caller.client.submit(request_, 10.0)
    failed = Failed(number, outcome)
    caller.pool.send(failed)
    assert caller.events == [failed]


def test_events_of_older_requests_change_nothing(caller: Caller) -> None:
    older = caller.client.submit(RUN, 10.0)
    caller.client.submit(RUN, 10.0)
    failed = Failed(older, CRASH)
    caller.pool.send(failed)
    assert caller.events == [failed]


def test_events_go_to_whoever_connected_last_and_then_to_nobody(caller: Caller) -> None:
    number = caller.client.submit(RUN, 10.0)
    later: list[Event] = []
    caller.client.connect(later.append)
    event = Progressed(number, RunProgress(Stage.COMPILING))
    caller.pool.send(event)
    caller.client.disconnect()
    caller.pool.send(event)
    assert later == [event]
    assert not caller.events


def test_a_result_is_waited_for_with_its_stages() -> None:
    messages: list[object] = []
    result = ask(RUN, LIMIT_S, messages.append)
    assert isinstance(result, Run)
    assert result.matches
    stages = [message.stage for message in messages if isinstance(message, RunProgress)]
    assert stages[:2] == ["compiling", "running"]


def test_a_job_that_means_nothing_is_an_error_in_its_own_words() -> None:
    with pytest.raises(RequestFailedError, match="vector_ad") as caught:
        ask(RunRequest(Job("vector_ad", "", {})), LIMIT_S)
    assert caught.value.outcome.reason is ExitReason.REFUSED


@pytest.fixture
def window() -> Iterator[tuple[Client, Queue[Event]]]:
    """A client as the window has one."""
    events: Queue[Event] = Queue()
    client = Client(events.put)
    yield client, events
    client.close()


class FailingPool(ToldPool):
    """Says of every request that its kernel crashed."""

    def submit(self, number: int, request: object, limit: TimeLimit, *, grace_s: float) -> None:
        self.send(Failed(number, CRASH))

    def cancel(self) -> None: ...

    def close(self) -> None: ...


def test_a_crash_is_the_same_finding_for_the_window_the_command_line_and_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "Pool", FailingPool)
    events: list[Event] = []
    Client(events.append).submit(RUN, LIMIT_S)
    assert isinstance(events[0], Finished)
    case = Case("", "k", "__global__ void k() {}", (), (64, 1, 1), (1, 1, 1))
    results: list[Any] = [events[0].result, ask(RUN, LIMIT_S), check_case(case)]
    failed = [result.findings[0] for result in results]
    assert {one.kind for one in failed} == {"kernel-failed"}
    assert {str(one.message) for one in failed} == {
        "The kernel crashed with SIGSEGV: invalid memory access."
    }


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_after_a_crash_the_next_request_is_answered(window: tuple[Client, Queue[Event]]) -> None:
    client, events = window
    client.submit(replace(RUN, job=replace(ADD, source=ENDLESS)), LIMIT_S)
    while (message := progress_of(events)).stage != "running":
        pass
    assert message.engine is Engine.EMULATOR
    for child in multiprocessing.active_children():
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
    finished = events.get(timeout=LIMIT_S)
    assert isinstance(finished, Finished)
    assert isinstance(finished.result, Run)
    assert "SIGKILL" in str(finished.result.findings[0].message)
    client.submit(RUN, LIMIT_S)
    while not isinstance(event := events.get(timeout=LIMIT_S), Finished):
        assert isinstance(event, Progressed)
    assert isinstance(event.result, Run)
    assert event.result.matches


def progress_of(events: Queue[Event]) -> RunProgress:
    event = events.get(timeout=LIMIT_S)
    assert isinstance(event, Progressed)
    assert isinstance(event.message, RunProgress)
    return event.message
