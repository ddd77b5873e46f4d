# SPDX-License-Identifier: MIT
"""What is wrong with a launch, where, why with the numbers, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from threadloom.model.dim3 import Dim3
from threadloom.model.message import NOTHING, Message
from threadloom.model.severity import Severity


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
    verdict: str = "ok"
    """ok, launch-error, compile-error, uncovered, out-of-bounds, wrong-result or race."""
    control: str = ""
    """Control of the launch panel that it speaks of, such as ``block.x``, ``size.n``."""

    @property
    def stops_launch(self) -> bool:
        """Whether the launch cannot take place."""
        return self.severity is Severity.ERROR and self.verdict in {"launch-error", "compile-error"}
