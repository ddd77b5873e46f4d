# SPDX-License-Identifier: MIT
"""What the supervisor tells its listener; each carries the number of its request."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.worker.outcome import Outcome


@dataclass(frozen=True, slots=True, eq=False)
class Progressed:
    """The handler sent a message ahead."""

    number: int
    message: object


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """The handler returned."""

    number: int
    result: object


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """There will be no result."""

    number: int
    outcome: Outcome


Event = Progressed | Finished | Failed
