# SPDX-License-Identifier: MIT
"""One launch of a sweep, and what the whole sweep comes to, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from threadloom.model.provenance import Provenance
from threadloom.presentation.bench.time_text import convergence_words
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import _, count, duration, factor, ngettext, percent

Titles = Mapping[str, str]
"""Titles of variants by name."""
_MOST_NAMED = 2
_NEAR = 1.5
"""Below this, a share says more than a factor."""


def block_text(point: LaunchPoint, rank: int = 1) -> str:
    """The block as it is read, ``256`` or ``32 × 8``, with so many extents at least."""
    block = point.launch.block if point.launch is not None else point.choice.block
    if block is None:
        return ""
    return " × ".join(count(extent) for extent in tuple(block)[: max(rank, block.rank)])


def rank_text(point: LaunchPoint, points: Sequence[LaunchPoint]) -> str:
    """Such as "fastest"; empty where there is nothing to say."""
    return {
        Rank.FASTEST: _("fastest"),
        Rank.TIE: _("tie with the fastest"),
        Rank.LEAST: _("shortest (modeled)"),
    }.get(rank(point, points), "")


def point_words(point: LaunchPoint, points: Sequence[LaunchPoint], name: str) -> list[str]:
    """Lines that tell all of one launch; the first one names it."""
    if point.samples is None:
        return [name, str(point.skipped or _("not measured"))]
    time = _("{time}, {provenance}").format(
        time=duration(point.samples.median_s), provenance=provenance_words(point.provenance)
    )
    lines = [name, time]
    if said := rank_text(point, points):
        lines.append(said)
    if taken := samples_words(point):
        lines.append(taken)
    if point.warps_per_sm is not None:
        warps = ngettext("{n} warp per SM", "{n} warps per SM", point.warps_per_sm)
        lines.append(warps.format(n=count(point.warps_per_sm)))
    if point.matches is False:
        lines.append(_("output differs from NumPy"))
    lines.append(point.device)
    return lines


def samples_words(point: LaunchPoint) -> str:
    """P10–P90 and number of the samples; empty for a single figure."""
    if point.samples is None or len(point.samples.seconds) < 2:
        return ""
    low, high = percentile_range(point.samples)
    words = _("{low} to {high} in {n} samples").format(
        low=duration(low), high=duration(high), n=count(len(point.samples.seconds))
    )
    if point.samples.dropped:
        text = _("{words}, {n} discarded (throttling)")
        words = text.format(words=words, n=count(point.samples.dropped))
    if not point.samples.converged:
        words = _("{words}; {reached}").format(
            words=words, reached=convergence_words(point.samples)
        )
    return words


def conclusion(points: Sequence[LaunchPoint], names: Mapping[LaunchPoint, str]) -> str:
    """What the sweep comes to, in a few sentences; empty while there is nothing to compare."""
    timed = [point for point in points if point.samples is not None]
    skipped = [str(point.skipped) for point in points if point.skipped]
    if len(timed) < 2:
        return _skipped_sentence(skipped)
    first = [p for p in timed if rank(p, points) in {Rank.FASTEST, Rank.LEAST}]
    slowest = max(timed, key=_median_s)
    best = min(first, key=_median_s)
    ratio = _median_s(slowest) / _median_s(best)
    modeled = best.provenance is not Provenance.MEASURED
    ties = [p for p in timed if rank(p, points) is Rank.TIE]
    others = [p for p in first if p is not best] if modeled else ties
    sentence = _best_sentence(names[best], duration(_median_s(best)), modeled=modeled)
    parts = [sentence]
    if others:
        parts.append(_others_sentence([names[p] for p in others], modeled=modeled))
    if slowest is not best and slowest not in others:
        text = _("{name} takes {longer}.")
        parts.append(text.format(name=names[slowest], longer=longer_words(ratio)))
    if skipped:
        parts.append(_skipped_sentence(skipped))
    return " ".join(parts)


def _skipped_sentence(reasons: Sequence[str]) -> str:
    """How many launches have no time, and why the first has none."""
    if not reasons:
        return ""
    text = ngettext(
        "{n} launch is not valid: {reason}", "{n} launches are not valid: {reason}", len(reasons)
    )
    return text.format(n=count(len(reasons)), reason=reasons[0])


def longer_words(ratio: float) -> str:
    """How much longer a time is than another: "3.8× as long", "12 % longer"."""
    if ratio < _NEAR:
        return _("{share} longer").format(share=percent(ratio - 1, 2))
    return _("{factor} as long").format(factor=factor(ratio, 2))


def _best_sentence(name: str, time: str, *, modeled: bool) -> str:
    if modeled:
        return _("Shortest in the model: {name}, {time}.").format(name=name, time=time)
    return _("Fastest: {name}, {time}.").format(name=name, time=time)


def _others_sentence(names: Sequence[str], *, modeled: bool) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    if more > 0:
        text = ngettext("{names} and {n} more", "{names} and {n} more", more)
        shown = text.format(names=shown, n=more)
    if modeled:
        return _("Equal in the model: {names}.").format(names=shown)
    return _("Tied with {names}.").format(names=shown)


def _median_s(point: LaunchPoint) -> float:
    return 0.0 if point.samples is None else point.samples.median_s
