# SPDX-License-Identifier: MIT
"""What is wrong with a launch, where, why with the numbers, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from threadloom.model.dim3 import Dim3
from threadloom.model.message import NOTHING, Message
from threadloom.model.severity import Severity


class Verdict(StrEnum):
    """What a finding says of a launch, the gravest first.

    First what keeps a kernel from running, then what makes its result worthless, incomplete, wrong.
    """

    COMPILE_ERROR = "compile-error"
    LAUNCH_ERROR = "launch-error"
    OUT_OF_BOUNDS = "out-of-bounds"
    RACE = "race"
    UNCOVERED = "uncovered"
    WRONG_RESULT = "wrong-result"
    OK = "ok"


class Control(StrEnum):
    """Controls of the launch that a finding can speak of."""

    NONE = ""
    BLOCK_X = "block.x"
    BLOCK_Y = "block.y"
    BLOCK_Z = "block.z"
    GRID_X = "grid.x"
    GRID_Y = "grid.y"
    GRID_Z = "grid.z"
    GRID_FOLLOWS_SIZE = "grid_follows_size"
    SHARED = "shared"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace one stretch of the source; lines and columns from 1, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a finding. Only what changes is set."""

    title: Message
    """The change itself, as on a button: ``1,954 blocks of 256``."""
    grid: Dim3 | None = None
    block: Dim3 | None = None
    shared_bytes: int | None = None
    variant: str | None = None
    sizes: Mapping[str, int] | None = None
    edit: Edit | None = None
    grid_follows_size: bool | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Place of a finding; what does not apply is None."""

    line: int | None = None
    column: int | None = None
    block: Dim3 | None = None
    thread: Dim3 | None = None
    array: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a launch."""

    kind: str
    """Stable name such as ``block-too-large``; the file that finds it bears it, too."""
    severity: Severity
    message: Message
    detail: Message = NOTHING
    where: Where = Where()
    numbers: Mapping[str, int | float | str] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()
    verdict: Verdict = Verdict.OK
    control: Control = Control.NONE
    """What a user would change."""

    @property
    def stops_launch(self) -> bool:
        """Whether the launch cannot take place."""
        return self.severity is Severity.ERROR and self.verdict in {
            Verdict.LAUNCH_ERROR,
            Verdict.COMPILE_ERROR,
        }

    @property
    def is_abort(self) -> bool:
        """Whether the kernel was launched and did not end by itself."""
        return self.kind in {"kernel-failed", "endless", "too-long"}
