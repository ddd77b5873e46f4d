# SPDX-License-Identifier: MIT
"""What the figure of a sweep over launches shows: a curve, a heat map or bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from threadloom.presentation.figures.launch_marks import Marks, block_of
from threadloom.presentation.figures.launch_text import Titles, block_text, conclusion
from threadloom.services.messages.launch_sweep import LaunchPoint, LaunchSweepResult
from threadloom.text import _


@dataclass(frozen=True, slots=True)
class LaunchSweepModel:
    """A finished, stopped or running sweep over blocks or variants."""

    result: LaunchSweepResult
    titles: Titles = field(default_factory=dict)
    """Titles of the operation's variants."""
    wanted: tuple[LaunchPoint, ...] = ()
    """Launches of the sweep that have no time yet; they keep their place."""
    marks: Marks = Marks()
    faded: bool = False
    """Whether it is of another problem than the chosen one."""

    @property
    def points(self) -> tuple[LaunchPoint, ...]:
        """What is known."""
        return self.result.points

    @property
    def over_variants(self) -> bool:
        """Whether every launch is a variant's own."""
        shown = (*self.points, *self.wanted)
        return bool(shown) and all(point.choice.block is None for point in shown)

    @property
    def is_plane(self) -> bool:
        """Whether blocks differ in more than x."""
        blocks = [block_of(point) for point in (*self.points, *self.wanted)]
        return any(block is not None and (block.y > 1 or block.z > 1) for block in blocks)

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        job = self.result.job
        if self.over_variants:
            return f"{job.operation}_variants"
        return f"{job.operation}_{job.variant}_blocks"

    @property
    def title(self) -> str:
        """What is shown."""
        if self.over_variants:
            return _("Variants")
        return _("Block shapes") if self.is_plane else _("Block sizes")

    @property
    def sentence(self) -> str:
        """What it comes to."""
        names = {point: self.name_of(point) for point in self.points}
        return conclusion(self.points, names)

    @property
    def values(self) -> Mapping[str, object]:
        """Times by launch."""
        return {
            "points": [
                {
                    "variant": point.choice.variant,
                    "block": block_text(point, 2 if self.is_plane else 1),
                    "source": str(point.provenance),
                    "device": point.device,
                    "median_s": None if point.samples is None else point.samples.median_s,
                    "samples_s": [] if point.samples is None else list(point.samples.seconds),
                    "warps_per_sm": point.warps_per_sm,
                    "skipped": point.skipped.english(),
                }
                for point in self.points
            ],
            "environment": dict(self.result.environment),
            "complete": self.result.complete,
        }

    def name_of(self, point: LaunchPoint) -> str:
        """A launch for a user: its block, or its variant's title."""
        if point.choice.block is None:
            return self.titles.get(point.choice.variant, point.choice.variant)
        return block_text(point, 2 if self.is_plane else 1)
