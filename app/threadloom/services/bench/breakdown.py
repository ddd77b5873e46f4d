# SPDX-License-Identifier: MIT
"""The steps of an end-to-end breakdown: what they are, not how they are worded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples, SeriesKey


class Part(StrEnum):
    """What steps have in common."""

    ONCE = "once"
    """Paid once for a kernel."""
    PAGEABLE = "ordinary"
    """Paid by each problem, with arrays in ordinary memory."""
    PINNED = "pinned"
    """The same with arrays in page-locked memory."""
    STREAMS = "streams"
    """Many problems, one after the other or side by side."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step; without a time it says why there is none."""

    part: Part
    title: str
    samples: Samples | None
    provenance: Provenance | None = None
    note: str = ""
    series: SeriesKey | None = None
    """What it is in the other pictures, if it is shown there."""
