# SPDX-License-Identifier: MIT
"""One child process, as its parent sees it."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Iterator
from multiprocessing import connection
from pathlib import Path

from threadloom.worker.outcome import ExitReason, Outcome
from threadloom.worker.protocol import Handler, Stop, Task
from threadloom.worker.serializer import Deserializer
from threadloom.worker.serve import ChildSetup, serve

_KEPT_OUTPUT = 4096
"""Bytes that are kept of the end of a dead child's output."""

_EXIT_S = 5.0
"""How long a process may take to exit once it has closed its pipe."""

_numbers = itertools.count()


class Child:
    """A started process. Its sentinel and pipe are for `multiprocessing.connection.wait`."""

    def __init__(self, handler: Handler, memory_bytes: int | None) -> None:
        prefix = f"tl{os.getpid():x}-{next(_numbers):x}"
        descriptor, name = tempfile.mkstemp(prefix=f"{prefix}-", suffix=".log")
        os.close(descriptor)
        self._output = Path(name)
        self._deserializer = Deserializer(prefix)
        self.ready = False
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        setup = ChildSetup(handler, prefix, self._output, memory_bytes)
        self._process = spawn.Process(target=serve, args=(setup, theirs), daemon=True)
        try:
            self._process.start()
        except BaseException:
            self.pipe.close()
            self._output.unlink()
            raise
        finally:
            theirs.close()

    @property
    def sentinel(self) -> int:
        """Readable once the process has ended."""
        return self._process.sentinel

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return bool(connection.wait([self._process.sentinel], timeout=0))

    def wait_for_exit(self) -> None:
        """Let a process that has closed its pipe end by itself, so that its status is its own."""
        self._process.join(_EXIT_S)

    @property
    def pid(self) -> int | None:
        """Process number."""
        return self._process.pid

    def send(self, message: Task | Stop) -> None:
        """Have a request handled, or the running one stopped."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its sentinel says so
            self.pipe.send(message)

    def messages(self) -> Iterator[object]:
        """Take the messages that have arrived.

        Raises:
            EOFError: If no more will come.
        """
        try:
            while not self.pipe.closed and self.pipe.poll():
                yield self._deserializer.deserialize(self.pipe.recv_bytes())
        except OSError as error:
            raise EOFError from error

    def reap(self) -> Outcome:
        """Kill the process if it still runs, and release what it held; gives how it ended."""
        self._kill_group()
        self._process.join()
        status = self._process.exitcode
        self._process.close()
        self.pipe.close()
        self._deserializer.free_all()
        printed = self._output.read_bytes()[-_KEPT_OUTPUT:].decode(errors="replace").strip()
        self._output.unlink(missing_ok=True)
        if not self.ready:
            return Outcome(ExitReason.NOT_STARTED, status=status, detail=printed)
        return Outcome.of_exit(status, printed)

    def _kill_group(self) -> None:
        """Kill the process and what it has started; a dead one keeps its number until joined."""
        if os.name == "posix" and self.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
