# SPDX-License-Identifier: MIT
from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason
from threadloom.worker.supervisor import Supervisor
from threadloom.worker.time_limit import Clock, TimeLimit

Desk = Any  # of conftest.py, which cannot be imported by name


def _failure(desk: Desk, request: str, limit_s: float = 20.0) -> Failed:
    number = desk.submit(request, limit_s)
    while isinstance(event := desk.next(), Progressed):
        pass
    assert isinstance(event, Failed)
    assert event.number == number
    return event


def _works(desk: Desk) -> bool:
    number = desk.submit("prints")
    event = desk.next()
    return isinstance(event, Finished) and (event.number, event.result) == (number, "printed")


def _segments() -> set[str]:
    """Those of this process' children."""
    return {path.name for path in Path("/dev/shm").glob(f"tl{os.getpid():x}-*")}


def test_a_result_comes_back(desk: Desk) -> None:
    number = desk.submit("pid")
    event = desk.next()
    assert isinstance(event, Finished)
    assert event.number == number


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("segfault", "The kernel crashed with SIGSEGV: invalid memory access."),
        ("abort", "The kernel crashed with SIGABRT: abort() was called."),
        ("exit", "The process that runs kernels exited with status 7."),
        (
            "kill",
            "The kernel crashed with SIGKILL: killed by the system, most likely out of memory.",
        ),
    ],
)
def test_a_dead_child_is_reported_and_replaced(desk: Desk, request_: str, words: str) -> None:
    assert str(_failure(desk, request_).outcome.message) == words
    assert _works(desk)


def test_an_endless_loop_is_stopped_at_its_time_limit(desk: Desk) -> None:
    assert _works(desk)
    failed = _failure(desk, "loop", limit_s=0.2)
    assert failed.outcome.reason is ExitReason.TIMEOUT
    assert (
        str(failed.outcome.message) == "Timeout: the kernel ran longer than 200 ms and was stopped."
    )
    assert _works(desk)


def test_an_endless_loop_is_stopped_at_its_limit_of_processor_time(desk: Desk) -> None:
    number = desk.submit("loop", 0.2, Clock.PROCESSOR)
    assert isinstance(desk.next(), Progressed)
    failed = desk.next()
    assert isinstance(failed, Failed)
    assert failed.number == number
    words = "Timeout: the kernel used more than 200 ms of processor time and was stopped."
    assert str(failed.outcome.message) == words
    assert _works(desk)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_a_child_that_gets_no_processor_does_not_reach_its_limit(
    desk: Desk, desk_type: Any, handlers: ModuleType
) -> None:
    """It is stopped for longer than its limit, as on a machine that others keep busy."""
    number = desk.submit("waits for SIGCONT", 0.2, Clock.PROCESSOR)
    started = desk.next()
    assert isinstance(started, Progressed)
    assert isinstance(started.message, int)
    os.kill(started.message, signal.SIGSTOP)
    other = desk_type(handlers)
    _failure(other, "loop", limit_s=0.4)
    other.supervisor.close()
    assert desk.events.empty()
    os.kill(started.message, signal.SIGCONT)
    finished = desk.next()
    assert isinstance(finished, Finished)
    assert (finished.number, finished.result) == (number, "continued")


def test_the_limit_of_a_running_request_can_change(handlers: ModuleType) -> None:
    events: Queue[Event] = Queue()

    def note(event: Event) -> None:
        if isinstance(event, Progressed):
            supervisor.change_limit(event.number, TimeLimit(0.2))
        events.put(event)

    supervisor = Supervisor(handlers.behave, on_event=note, spare=False)
    try:
        supervisor.submit(5, "loop", TimeLimit(3600.0))
        assert isinstance(events.get(timeout=20.0), Progressed)
        failed = events.get(timeout=20.0)
        assert isinstance(failed, Failed)
        assert (
            str(failed.outcome.message)
            == "Timeout: the kernel ran longer than 200 ms and was stopped."
        )
    finally:
        supervisor.close()


def test_a_time_limit_begins_anew_after_what_it_is_not_meant_for(desk: Desk) -> None:
    number = desk.submit("prepares", limit_s=0.2)
    assert isinstance(desk.next(), Progressed)  # the loop was reached
    failed = desk.next()
    assert isinstance(failed, Failed)
    assert failed.number == number
    assert (
        str(failed.outcome.message) == "Timeout: the kernel ran longer than 200 ms and was stopped."
    )


def test_after_a_death_the_spare_that_was_there_answers(desk: Desk) -> None:
    assert _works(desk)
    _until(lambda: len(multiprocessing.active_children()) == 2)
    children = {child.pid for child in multiprocessing.active_children()}
    _failure(desk, "exit")
    desk.submit("pid")
    answer = desk.next()
    assert isinstance(answer, Finished)
    assert answer.result in children


def test_memory_beyond_the_limit_is_refused(handlers: ModuleType, desk_type: Any) -> None:
    desk = desk_type(handlers, memory_bytes=1 << 29)
    try:
        outcome = _failure(desk, "hog").outcome
        assert outcome.reason is ExitReason.OUT_OF_MEMORY
        assert (
            str(outcome.message) == "Out of memory: the run needs more than its limit of 512 MiB."
        )
        assert _works(desk)
    finally:
        desk.supervisor.close()


def test_an_unexpected_error_comes_with_its_traceback(desk: Desk) -> None:
    outcome = _failure(desk, "raises").outcome
    assert outcome.reason is ExitReason.ERROR
    assert "ZeroDivisionError: nobody thought of this" in str(outcome.message)
    assert "in _raises" in outcome.detail


def test_an_expected_error_comes_in_its_own_words(desk: Desk) -> None:
    outcome = _failure(desk, "refuses").outcome
    assert outcome.reason is ExitReason.REFUSED
    assert str(outcome.message) == "n is 0; at least 1 is needed"


def test_a_child_that_is_recycled_is_replaced(desk: Desk) -> None:
    desk.submit("pid")
    first = desk.next().result
    outcome = _failure(desk, "refuses launch").outcome
    assert isinstance(outcome.error, LaunchError)
    assert outcome.error.context_lost
    desk.submit("pid")
    assert desk.next().result != first


@pytest.mark.parametrize("request_", ["unpicklable error", "unpicklable result"])
def test_what_cannot_cross_is_an_error_not_a_silence(desk: Desk, request_: str) -> None:
    assert _failure(desk, request_).outcome.reason is ExitReason.ERROR
    assert _works(desk)


def test_the_newest_request_wins_over_one_that_yields(desk: Desk) -> None:
    old = desk.submit("yields")
    assert isinstance(desk.next(), Progressed)
    new = desk.submit("pid")
    event = desk.next()
    assert isinstance(event, Finished)
    assert event.number == new != old


def test_the_newest_request_wins_over_one_that_does_not(desk: Desk) -> None:
    desk.submit("loop")
    assert isinstance(desk.next(), Progressed)
    new = desk.submit("pid")
    event = desk.next()
    assert isinstance(event, Finished)
    assert event.number == new


def test_only_the_newest_of_many_answers(desk: Desk) -> None:
    numbers = [desk.submit("pid") for _request in range(50)]
    seen = [desk.next().number]
    while seen[-1] != numbers[-1]:
        seen.append(desk.next().number)
    assert seen == sorted(seen)
    assert len(seen) < len(numbers)


def test_a_cancelled_request_may_give_what_it_has(desk: Desk) -> None:
    number = desk.submit("yields")
    desk.next()
    desk.supervisor.cancel()
    event = desk.next()
    assert isinstance(event, Finished)
    assert (event.number, event.result) == (number, "so far")


@pytest.mark.parametrize("request_", ["loop", "checks"])
def test_a_cancelled_request_fails_as_such(desk: Desk, request_: str) -> None:
    desk.submit(request_)
    desk.next()
    desk.supervisor.cancel()
    event = desk.next()
    assert isinstance(event, Failed)
    assert event.outcome.reason is ExitReason.CANCELLED
    assert _works(desk)


def test_arrays_come_back_whole_and_leave_no_segment(desk: Desk) -> None:
    desk.submit("arrays")
    arrays = desk.next().result
    expected = np.arange(1_000_000, dtype=np.float64).reshape(1000, 1000)
    np.testing.assert_array_equal(arrays.large, expected)
    np.testing.assert_array_equal(arrays.named["mask"], expected > 5)
    np.testing.assert_array_equal(arrays.named["turned"], expected.T)
    arrays.large[0, 0] = 7  # it is a copy of its own
    desk.supervisor.close()
    assert not _segments()


def test_a_child_that_dies_leaves_no_segment(desk: Desk) -> None:
    assert _failure(desk, "arrays then abort").outcome.signal_name == "SIGABRT"
    assert not _segments()


def test_what_a_child_prints_stays_out_of_ours(
    desk: Desk, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _works(desk)
    assert capfd.readouterr() == ("", "")


def test_the_last_words_of_a_dead_child_are_kept(desk: Desk) -> None:
    detail = _failure(desk, "prints and aborts").outcome.detail
    assert "from C" in detail
    assert "to stderr" in detail


def test_programs_that_a_child_started_end_with_it(desk: Desk) -> None:
    number = desk.submit("starts program")
    event = desk.next()
    assert isinstance(event, Progressed)
    program = event.message
    assert isinstance(program, int)
    desk.supervisor.cancel()
    failed = desk.next()
    assert isinstance(failed, Failed)
    assert failed.number == number
    _until(lambda: not _runs(program))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _until(holds: Callable[[], bool], limit_s: float = 10.0) -> None:
    pause, deadline = threading.Event(), time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < deadline
        pause.wait(0.005)


def test_close_twice_and_submit_after_it_do_nothing(handlers: ModuleType, desk_type: Any) -> None:
    desk = desk_type(handlers)
    desk.supervisor.close()
    desk.supervisor.close()
    desk.submit("pid")
    assert desk.events.empty()
