# SPDX-License-Identifier: MIT
"""How a request ended when it has no result, as text for a user."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.message import N_, NOTHING, Message, _, binary_bytes, duration, message_of


class ExpectedError(Exception):
    """Base of errors that a handler raises to say something to a user; no report is needed."""


class Ending(StrEnum):
    """Ways to end without a result."""

    CRASHED = "crashed"
    """A signal ended the child."""
    EXITED = "exited"
    """The child left by itself."""
    DEADLINE = "deadline"
    """It ran past its deadline and was stopped."""
    OUT_OF_MEMORY = "out-of-memory"
    NOT_STARTED = "not-started"
    """No child could be started."""
    REFUSED = "refused"
    """The handler raised an error that it means to raise."""
    ERROR = "error"
    """The handler raised an error that nobody expected."""
    CANCELLED = "cancelled"


_REASONS = {
    "SIGSEGV": N_("invalid memory access"),
    "SIGBUS": N_("access to memory that does not exist"),
    "SIGABRT": N_("it called abort()"),
    "SIGFPE": N_("integer division by zero"),
    "SIGILL": N_("illegal instruction on this processor"),
    "SIGKILL": N_("killed by the system, probably out of memory"),
    "SIGTERM": N_("stopped by another program"),
}

_WINDOWS_STATUS = {0xC0000005: "SIGSEGV", 0xC0000094: "SIGFPE", 0xC000001D: "SIGILL"}
"""Exit statuses on Windows that mean the same as a signal (Microsoft, "NTSTATUS Values")."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why a request has no result; `message` is one sentence or two for a user."""

    ending: Ending
    limit_s: float | None = None
    """The deadline that was passed."""
    signal_name: str = ""
    """Such as ``SIGSEGV``."""
    status: int | None = None
    """Exit status of a child that left by itself."""
    memory_bytes: int | None = None
    """Memory limit of the child, if it has one."""
    error: Exception | None = None
    """What the handler raised."""
    detail: str = ""
    """Traceback, or the last words of the child."""

    @classmethod
    def of_exit(cls, status: int | None, detail: str = "") -> Outcome:
        """Outcome of a child that ended with this status, as `multiprocessing` gives it."""
        if status is not None and status < 0:
            return cls(Ending.CRASHED, signal_name=_signal_name(-status), detail=detail)
        if status in _WINDOWS_STATUS:
            return cls(Ending.CRASHED, signal_name=_WINDOWS_STATUS[status], detail=detail)
        return cls(Ending.EXITED, status=status, detail=detail)

    @property
    def message(self) -> Message:
        """What happened, for a user."""
        match self.ending:
            case Ending.CRASHED:
                return self._crash()
            case Ending.EXITED:
                return _("The process that runs kernels exited with status {status}.").format(
                    status=self.status
                )
            case Ending.DEADLINE:
                limit = duration(self.limit_s or 0.0)
                return _("Timeout: the kernel ran longer than {limit} and was stopped.").format(
                    limit=limit
                )
            case Ending.OUT_OF_MEMORY:
                return self._memory()
            case Ending.NOT_STARTED:
                return _("The process that runs kernels could not be started.")
            case Ending.CANCELLED:
                return _("Stopped on request.")
            case Ending.REFUSED:
                return message_of(self.error) if self.error else NOTHING
        return _("Unexpected error: {error}").format(error=_named(self.error))

    def _crash(self) -> Message:
        reason = _REASONS.get(self.signal_name)
        if reason is None:
            return _("The kernel crashed with {signal}.").format(signal=self.signal_name)
        return _("The kernel crashed with {signal}: {reason}.").format(
            signal=self.signal_name, reason=_(reason)
        )

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
