# SPDX-License-Identifier: MIT
"""Counters of a whole launch, by array and by memory space."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from threadloom.model.trace import Site, Space, Trace


@dataclass(frozen=True, slots=True)
class Total:
    """What all places of the source did to one array, or in one space. See `Site` for the units."""

    space: Space
    array: str | None
    """None for all of the space; empty for places that touch several arrays."""
    requests: int
    sectors: int
    ideal_sectors: int
    bank_conflicts: int
    active_lanes: int
    requested_bytes: int
    distinct_bytes: int | None
    """Different bytes among them; None for shared memory, and where it is not known."""

    @property
    def reuse(self) -> float | None:
        """How often each byte was asked for on average; None where it is not known."""
        return self.requested_bytes / self.distinct_bytes if self.distinct_bytes else None


def totals(trace: Trace) -> tuple[Total, ...]:
    """By array in the order of the source, after each space's arrays the space itself."""
    found = []
    for space in Space:
        sites = [site for site in trace.sites if site.space is space]
        for array in dict.fromkeys(site.array for site in sites):
            mine = (site for site in sites if site.array == array)
            found.append(_total(space, array, mine, _distinct(trace, sites, array)))
        if sites:
            found.append(_total(space, None, sites, _in_all(trace, space)))
    return tuple(found)


def _distinct(trace: Trace, sites: Iterable[Site], array: str) -> int | None:
    """Of one array; where a place touches several arrays it is not known which bytes are whose."""
    if not array or any(site.array == "" for site in sites):
        return None
    return trace.distinct_bytes.get(array)


def _in_all(trace: Trace, space: Space) -> int | None:
    counts = [trace.distinct_bytes[array] for array in trace.distinct_bytes]
    known = [count for count in counts if count is not None]
    return sum(known) if space is Space.GLOBAL and len(known) == len(counts) else None


def _total(space: Space, array: str | None, sites: Iterable[Site], distinct: int | None) -> Total:
    mine = tuple(sites)
    return Total(
        space=space,
        array=array,
        requests=sum(site.requests for site in mine),
        sectors=sum(site.sectors for site in mine),
        ideal_sectors=sum(site.ideal_sectors for site in mine),
        bank_conflicts=sum(site.bank_conflicts for site in mine),
        active_lanes=sum(site.active_lanes for site in mine),
        requested_bytes=sum(site.requested_bytes for site in mine),
        distinct_bytes=distinct,
    )
