# SPDX-License-Identifier: MIT
"""How a request ended when it has no result, as text for a user."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.message import N_, NOTHING, Message, _, binary_bytes, duration, message_of
from threadloom.worker.time_limit import Clock


class ExpectedError(Exception):
    """Base of errors that a handler raises to say something to a user; no report is needed."""


class ExitReason(StrEnum):
    """Why a request ended without a result."""

    CRASHED = "crashed"
    """A signal ended the child."""
    EXITED = "exited"
    """The child exited by itself."""
    TIMEOUT = "timeout"
    """The request ran past its time limit and the child was killed."""
    OUT_OF_MEMORY = "out-of-memory"
    NOT_STARTED = "not-started"
    """No child could be started."""
    REFUSED = "refused"
    """The handler raised an expected error."""
    ERROR = "error"
    """The handler raised an unexpected error."""
    CANCELLED = "cancelled"


_BY_KERNEL = frozenset(
    {ExitReason.CRASHED, ExitReason.EXITED, ExitReason.TIMEOUT, ExitReason.OUT_OF_MEMORY}
)
"""Reasons that lie in the kernel, not in the request or the machine."""


class RequestFailedError(Exception):
    """The request has no result; the outcome says why."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.message)


_REASONS = {
    "SIGSEGV": N_("invalid memory access"),
    "SIGBUS": N_("access beyond the end of mapped memory"),
    "SIGABRT": N_("abort() was called"),
    "SIGFPE": N_("integer division by zero"),
    "SIGILL": N_("instruction not supported by this processor"),
    "SIGKILL": N_("killed by the system, most likely out of memory"),
    "SIGTERM": N_("terminated by another program"),
}

_WINDOWS_STATUS = {0xC0000005: "SIGSEGV", 0xC0000094: "SIGFPE", 0xC000001D: "SIGILL"}
"""Exit statuses on Windows that mean the same as a signal (Microsoft, "NTSTATUS Values")."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why a request has no result; `message` is one sentence or two for a user."""

    reason: ExitReason
    limit_s: float | None = None
    """The time limit that was exceeded."""
    clock: Clock = Clock.WALL
    """What that limit counts."""
    signal_name: str = ""
    """Such as ``SIGSEGV``."""
    status: int | None = None
    """Exit status of a child that exited by itself."""
    memory_bytes: int | None = None
    """Memory limit of the child, if it has one."""
    error: Exception | None = None
    """What the handler raised."""
    detail: str = ""
    """Traceback, or the end of the child's output."""

    @classmethod
    def of_exit(cls, status: int | None, detail: str = "") -> Outcome:
        """Outcome of a child that ended with this status, as `multiprocessing` gives it."""
        if status is not None and status < 0:
            return cls(ExitReason.CRASHED, signal_name=_signal_name(-status), detail=detail)
        if status in _WINDOWS_STATUS:
            return cls(ExitReason.CRASHED, signal_name=_WINDOWS_STATUS[status], detail=detail)
        return cls(ExitReason.EXITED, status=status, detail=detail)

    @property
    def is_by_kernel(self) -> bool:
        """Whether it says something of the kernel: a crash, exit, timeout or lack of memory."""
        return self.reason in _BY_KERNEL

    @property
    def message(self) -> Message:
        """What happened, for a user."""
        match self.reason:
            case ExitReason.CRASHED:
                return self._crash()
            case ExitReason.EXITED:
                return _("The process that runs kernels exited with status {status}.").format(
                    status=self.status
                )
            case ExitReason.TIMEOUT:
                return self._timeout()
            case ExitReason.OUT_OF_MEMORY:
                return self._memory()
            case ExitReason.NOT_STARTED:
                return _("The process that runs kernels could not be started.")
            case ExitReason.CANCELLED:
                return _("Stopped on request.")
            case ExitReason.REFUSED:
                return message_of(self.error) if self.error else NOTHING
        return _("Unexpected error: {error}").format(error=_named(self.error))

    def _crash(self) -> Message:
        reason = _REASONS.get(self.signal_name)
        if reason is None:
            return _("The kernel crashed with {signal}.").format(signal=self.signal_name)
        return _("The kernel crashed with {signal}: {reason}.").format(
            signal=self.signal_name, reason=_(reason)
        )

    def _timeout(self) -> Message:
        if self.clock is Clock.PROCESSOR:
            text = _(
                "Timeout: the kernel used more than {limit} of processor time and was stopped."
            )
        else:
            text = _("Timeout: the kernel ran longer than {limit} and was stopped.")
        return text.format(limit=duration(self.limit_s or 0.0))

    def _memory(self) -> Message:
        if self.memory_bytes is None:
            return _("Out of memory: the run needs more than this machine has.")
        return _("Out of memory: the run needs more than its limit of {limit}.").format(
            limit=binary_bytes(self.memory_bytes)
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _named(error: Exception | None) -> str:
    return f"{type(error).__name__}: {error}" if error is not None else "?"
