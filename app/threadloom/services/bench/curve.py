# SPDX-License-Identifier: MIT
"""One curve of a sweep while it grows, with a guess of how long its next point takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadloom.model.message import NOTHING, Message, _, duration
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey


@dataclass(slots=True)
class Curve:
    """Points so far; once a run would take too long, no further one is measured."""

    key: SeriesKey
    label: Message
    provenance: Provenance
    engine: Engine
    device: str
    baseline: Message
    points: list[Point] = field(default_factory=list)
    stopped: Message = NOTHING
    """Why no more points are measured; empty while they are."""
    _rate_of_work: float | None = None
    """Seconds for a unit of work, at the last point."""

    def seconds(self, work: float) -> float | None:
        """About how long one run takes for so much work; None before the first point."""
        return None if self._rate_of_work is None else self._rate_of_work * work

    def stop_if_slow(self, work: float, limit_s: float, guess_s: float = 0.0) -> None:
        """Stop the curve if one run would take longer than the limit.

        Args:
            work: Of the next point, in any unit that the time is roughly proportional to.
            limit_s: Longest run that is worth a wait.
            guess_s: What one run takes at least, where there is no point to go by.
        """
        expected = self.seconds(work)
        expected = guess_s if expected is None else expected
        if expected > limit_s and not self.stopped:
            text = _("One run would take about {time}, over the limit of {limit}.")
            self.stopped = text.format(time=duration(expected), limit=duration(limit_s))

    def add(self, size: int, samples: Samples, work: float) -> None:
        """Take a measured or modeled point."""
        self.points.append(Point(size, samples))
        self._rate_of_work = samples.median_s / work

    def take(self, point: Point, work: float) -> None:
        """Take over a point of an earlier sweep, or the reason why it has none."""
        if point.samples is None:
            self.skip(point.size, point.skipped)
        else:
            self.add(point.size, point.samples, work)

    def skip(self, size: int, reason: Message) -> None:
        """Note that there is no point at this size."""
        self.points.append(Point(size, None, reason))

    def series(self) -> Series:
        """The curve as it is now."""
        return Series(
            key=self.key,
            label=self.label,
            provenance=self.provenance,
            engine=self.engine,
            device=self.device,
            baseline=self.baseline,
            points=tuple(self.points),
        )
