# SPDX-License-Identifier: MIT
from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Queue, SimpleQueue
from types import ModuleType
from typing import TypeVar

import pytest

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason, RequestFailedError
from threadloom.worker.pool import Pool, wait_for_result
from threadloom.worker.time_limit import TimeLimit

HERE = Path(__file__).parent
LIMIT_S = 30.0
LIMIT = TimeLimit(LIMIT_S)
Kind = TypeVar("Kind", bound=Event)


class Listing:
    """Lists the shards' messages and results."""

    def progress(self, messages: Sequence[object]) -> object | None:
        return tuple(messages) if len(messages) > 1 else None

    def result(self, results: Sequence[object]) -> object:
        return list(results)


class Caller:
    """A pool with its events in a queue."""

    def __init__(self, handlers: ModuleType, *, spare: bool) -> None:
        self.events: Queue[Event] = Queue()
        self.pool = Pool(handlers.count_up, self.events.put, spare=spare)

    def submit(self, number: int, request: object) -> None:
        self.pool.submit(number, request, LIMIT)

    def submit_shards(self, number: int, *shards: object) -> None:
        self.pool.submit_shards(number, shards, Listing(), LIMIT, grace_s=15.0)

    def until(self, kind: type[Kind]) -> Kind:
        while not isinstance(event := self.events.get(timeout=LIMIT_S), kind):
            pass
        return event


@pytest.fixture
def begin(handlers: ModuleType) -> Iterator[Callable[..., Caller]]:
    callers: list[Caller] = []

    def begin_one(*, spare: bool = False) -> Caller:
        callers.append(Caller(handlers, spare=spare))
        return callers[-1]

    yield begin_one
    for caller in callers:
        caller.pool.close()
        caller.pool.close()


def test_a_result_has_the_number_of_its_request(begin: Callable[..., Caller]) -> None:
    caller = begin(spare=True)
    caller.submit(7, 21)
    finished = caller.until(Finished)
    assert (finished.number, finished.result) == (7, 42)


def test_without_a_spare_no_child_runs_before_the_first_request(
    begin: Callable[..., Caller],
) -> None:
    before = set(multiprocessing.active_children())
    caller = begin()
    caller.pool.cancel()
    assert set(multiprocessing.active_children()) == before


def test_events_of_shards_are_merged(begin: Callable[..., Caller]) -> None:
    caller = begin()
    caller.submit_shards(7, 1, 2, 3)
    progress = []
    while not isinstance(event := caller.events.get(timeout=LIMIT_S), Finished):
        assert isinstance(event, Progressed)
        progress.append(event)
    assert {one.number for one in progress} == {7}
    assert progress[-1].message == (1, 2, 3)
    assert (event.number, event.result) == (7, [2, 4, 6])


def test_a_shard_that_fails_ends_the_others(begin: Callable[..., Caller]) -> None:
    caller = begin()
    caller.submit_shards(7, "die", "wait")
    failed = caller.until(Failed)
    assert failed.number == 7
    assert failed.outcome.reason is ExitReason.EXITED


def test_shards_that_are_stopped_give_what_they_have(begin: Callable[..., Caller]) -> None:
    caller = begin()
    caller.submit_shards(7, "wait", "wait")
    assert caller.until(Progressed).message == ("wait", "wait")
    caller.pool.cancel()
    assert caller.until(Finished).result == ["wait", "wait"]


def test_a_new_request_ends_shards_and_shards_end_a_request(begin: Callable[..., Caller]) -> None:
    caller = begin()
    caller.submit(1, "wait")
    assert caller.until(Progressed).number == 1
    caller.submit_shards(2, "wait", "wait")
    while caller.until(Progressed).number != 2:
        pass
    caller.submit(3, 21)
    while (finished := caller.until(Finished)).number != 3:
        assert finished.number == 1  # which yields in its grace period
    assert finished.result == 42


def _waited_for(handlers: ModuleType, request: object) -> object:
    events: SimpleQueue[Event] = SimpleQueue()
    pool = Pool(handlers.behave, events.put, spare=False)
    try:
        pool.submit(1, request, LIMIT)
        return wait_for_result(events, pool.cancel)
    finally:
        pool.close()


def test_a_result_is_waited_for(handlers: ModuleType) -> None:
    assert _waited_for(handlers, "prints") == "printed"


def test_a_failure_is_raised_with_its_outcome(handlers: ModuleType) -> None:
    with pytest.raises(RequestFailedError, match="SIGABRT") as caught:
        _waited_for(handlers, "abort")
    assert caught.value.outcome.reason is ExitReason.CRASHED


_WAITS = """
import signal
from queue import SimpleQueue
from worker_handlers import behave
from threadloom.worker.outcome import RequestFailedError
from threadloom.worker.pool import Pool, wait_for_result
from threadloom.worker.time_limit import TimeLimit

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it

def ask(request, grace_s=15.0):
    events = SimpleQueue()
    pool = Pool(behave, events.put, spare=False)
    try:
        pool.submit(1, request, TimeLimit(30.0), grace_s=grace_s)
        return wait_for_result(events, pool.cancel, lambda message: print(message, flush=True))
    finally:
        pool.close()
"""


def _program(text: str) -> subprocess.Popen[str]:
    """Start a Python program that can import the handlers, and asks them."""
    paths = [str(HERE), *(str(HERE.parents[2] / root) for root in ("app", "kernels", "assets"))]
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", _WAITS + textwrap.dedent(text)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("request_", ["yields", "yields late"])
def test_ctrl_c_gives_what_there_is_so_far(request_: str) -> None:
    program = _program(f"print(ask('{request_}'))")
    assert program.stdout is not None
    assert program.stdout.readline() == "started\n"
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=20) == ("so far\n", "")


def test_a_child_dies_with_its_parent_and_no_warning_is_given() -> None:
    program = _program("ask('loop')")
    assert program.stdout is not None
    child = int(program.stdout.readline())
    program.kill()
    program.communicate(timeout=20)
    process = Path(f"/proc/{child}/stat")
    for _attempt in range(1000):
        if not process.exists() or process.read_text().rpartition(")")[2].split()[0] == "Z":
            break
        os.sched_yield()
    else:
        pytest.fail("the child outlived its parent")


def test_no_shared_memory_is_reported_as_leaked() -> None:
    program = _program("""
        ask("arrays")
        try:
            ask("arrays then abort")
        except RequestFailedError as error:
            print(error)
    """)
    out, err = program.communicate(timeout=30)
    assert out.splitlines()[-1] == "The kernel crashed with SIGABRT: abort() was called."
    assert err == ""
