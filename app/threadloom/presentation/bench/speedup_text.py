# SPDX-License-Identifier: MIT
"""Which of two times is shorter, said with care for their ranges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadloom.model.timing.samples import Samples
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.tone import Tone
from threadloom.text import _, factor


class Outcome(Enum):
    """How the first of two times stands to the second."""

    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    """Their ranges meet: no difference can be told."""

    @property
    def tone(self) -> Tone:
        """Token of the color for it."""
        return {Outcome.FASTER: Tone.OK, Outcome.SLOWER: Tone.WARNING, Outcome.TIE: Tone.SECONDARY}[
            self
        ]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome with how many times one is the other, 1 or more."""

    outcome: Outcome
    ratio: float

    def sentence(self, other: str) -> str:
        """Such as "3.5× slower than NumPy"."""
        if self.outcome is Outcome.TIE:
            return _("no difference to {other}").format(other=other)
        text = {
            Outcome.FASTER: _("{factor} faster than {other}"),
            Outcome.SLOWER: _("{factor} slower than {other}"),
        }[self.outcome]
        return text.format(factor=factor(self.ratio, 2), other=other)

    def short(self) -> str:
        """Such as "3.5× slower"."""
        if self.outcome is Outcome.TIE:
            return _("no difference")
        text = {Outcome.FASTER: _("{factor} faster"), Outcome.SLOWER: _("{factor} slower")}
        return text[self.outcome].format(factor=factor(self.ratio, 2))


def verdict(first: Samples, second: Samples) -> Verdict:
    """Hold the first time against the second.

    A tie is where the ranges of most samples meet. A single sample has no range, so that two of
    them tie only when they are equal.
    """
    ratio = first.median_s / second.median_s if second.median_s > 0 else float("inf")
    size = max(ratio, 1 / ratio) if 0 < ratio < float("inf") else float("inf")
    (low, high), (other_low, other_high) = percentile_range(first), percentile_range(second)
    if low <= other_high and other_low <= high:
        return Verdict(Outcome.TIE, size)
    return Verdict(Outcome.FASTER if ratio < 1 else Outcome.SLOWER, size)
