# SPDX-License-Identifier: MIT
"""What the run controller has in hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from threadloom.model.run import Run
from threadloom.model.run_change import EVERY_PART, Part
from threadloom.services.messages.message import Request


class Kind(Enum):
    """What a request is for."""

    DEVICES = auto()
    RUN = auto()
    LOOK = auto()
    RESOURCES = auto()
    BREAKDOWN = auto()
    SWEEP = auto()


BESIDE = frozenset({Kind.LOOK, Kind.RESOURCES, Kind.BREAKDOWN})
"""Done by itself for a run that is shown already: without it, the run is as it was."""


ADDITIONS = frozenset({Kind.LOOK, Kind.BREAKDOWN})
"""Of these, what comes after the choices have changed is dropped."""
LATER_PARTS = frozenset({Part.COMPILATION, Part.OBSERVATION, Part.MEASUREMENT, Part.FINDINGS})
"""What may come after a run is shown."""


@dataclass(slots=True)
class Task:
    """A request that the client has in hand."""

    kind: Kind
    number: int
    request: Request
    stopped: bool = False
    """A user wanted it to end."""
    shown: bool = False
    """Its run is shown already; only its times are still to come."""

    def new_parts(self, run: Run) -> frozenset[Part]:
        """What of an answer is new beside the run that is shown."""
        match self.kind:
            case Kind.LOOK:
                return frozenset() if run.trace is None else frozenset({Part.TRACE})
            case Kind.BREAKDOWN:
                return frozenset() if run.breakdown is None else frozenset({Part.BREAKDOWN})
            case Kind.RUN if not self.shown:
                return EVERY_PART
        # No observation means that it stays as it was, unless no device would run the kernel.
        unseen = run.observation is None and not run.is_refused
        return LATER_PARTS - {Part.OBSERVATION} if unseen else LATER_PARTS
