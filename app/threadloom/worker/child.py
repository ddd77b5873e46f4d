# SPDX-License-Identifier: MIT
"""The parent's hold on one child process."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Iterator
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path

from threadloom.worker.outcome import Ending, Outcome
from threadloom.worker.protocol import Handler, Order, Stop
from threadloom.worker.serializer import Unpacker
from threadloom.worker.serve import ChildSetup, serve

_LAST_WORDS = 4096
"""Bytes that are kept of what a child printed before it died."""

_numbers = itertools.count()


class Child:
    """A started process. Its sentinel and pipe are for `multiprocessing.connection.wait`."""

    def __init__(self, handler: Handler, memory_bytes: int | None) -> None:
        prefix = f"tl{os.getpid():x}-{next(_numbers):x}"
        descriptor, name = tempfile.mkstemp(prefix=f"{prefix}-", suffix=".log")
        os.close(descriptor)
        self._output = Path(name)
        self._unpacker = Unpacker(prefix)
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

    @property
    def pid(self) -> int | None:
        """Process number."""
        return self._process.pid

    def order(self, number: int, request: object) -> None:
        """Have a request handled."""
        _send(self.pipe, Order(number, request))

    def ask_to_stop(self) -> None:
        """Say that the running request is no longer wanted."""
        _send(self.pipe, Stop())

    def heard(self) -> Iterator[object]:
        """Take the messages that are there, until there are no more.

        Raises:
            EOFError: If none will come any more.
        """
        try:
            while not self.pipe.closed and self.pipe.poll():
                yield self._unpacker.unpack(self.pipe.recv_bytes())
        except OSError as error:
            raise EOFError from error

    def bury(self) -> Outcome:
        """Take leave of a process that has ended, or end it; gives how it ended."""
        self._kill_group()
        self._process.join()
        status = self._process.exitcode
        self._process.close()
        self.pipe.close()
        self._unpacker.free_all()
        words = self._output.read_bytes()[-_LAST_WORDS:].decode(errors="replace").strip()
        self._output.unlink(missing_ok=True)
        if not self.ready:
            return Outcome(Ending.NOT_STARTED, status=status, detail=words)
        return Outcome.of_exit(status, words)

    def _kill_group(self) -> None:
        """Kill the process and what it has started; a dead one keeps its number until joined."""
        if os.name == "posix" and self.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()


def _send(pipe: Connection, message: object) -> None:
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its sentinel says so, too
        pipe.send(message)
