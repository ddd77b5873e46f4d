# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending
from threadloom.worker.together import run_together

HERE = Path(__file__).parent


def test_a_result(handlers: ModuleType) -> None:
    assert run_once(handlers.double, 21, 20.0) == 42


def test_a_failure_is_raised_with_its_outcome(handlers: ModuleType) -> None:
    with pytest.raises(RequestFailedError, match="SIGABRT") as caught:
        run_once(handlers.behave, "abort", 20.0)
    assert caught.value.outcome.ending is Ending.CRASHED


def _program(text: str) -> subprocess.Popen[str]:
    """Start a Python program that can import the handlers."""
    paths = [str(HERE), *(str(HERE.parents[2] / root) for root in ("app", "kernels", "assets"))]
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(text)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("request_", ["yields", "yields late"])
def test_ctrl_c_gives_what_there_is_so_far(request_: str) -> None:
    program = _program(f"""
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        from worker_handlers import behave
        from threadloom.worker.once import run_once
        print(run_once(behave, "{request_}", 30.0, lambda m: print(m, flush=True), grace_s=15.0))
    """)
    assert program.stdout is not None
    assert program.stdout.readline() == "started\n"
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=20) == ("so far\n", "")


def test_a_child_dies_with_its_parent_and_no_warning_is_given() -> None:
    program = _program("""
        from worker_handlers import behave
        from threadloom.worker.once import run_once
        run_once(behave, "loop", 30.0, lambda m: print(m, flush=True))
    """)
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


def test_no_shared_memory_is_said_to_be_leaked() -> None:
    program = _program("""
        from worker_handlers import behave
        from threadloom.worker.once import RequestFailedError, run_once
        run_once(behave, "arrays", 30.0)
        try:
            run_once(behave, "arrays then abort", 30.0)
        except RequestFailedError as error:
            print(error)
    """)
    out, err = program.communicate(timeout=30)
    assert out == "The kernel crashed with SIGABRT: it called abort().\n"
    assert err == ""


def test_several_at_once_keep_their_order(handlers: ModuleType) -> None:
    assert run_together(handlers.double, [1, 2, 3], 20.0) == [2, 4, 6]


def test_if_one_of_several_fails_the_rest_is_stopped(handlers: ModuleType) -> None:
    with pytest.raises(RequestFailedError, match="SIGABRT"):
        run_together(handlers.behave, ["abort", "abort"], 20.0)
