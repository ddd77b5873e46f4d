# SPDX-License-Identifier: MIT
"""Sites: counters by location of the source, footprints, atomic contention and branches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from threadloom.backends.emulator.report.buffers import TraceBuffers
from threadloom.backends.emulator.runtime.abi import LocationRecord, SiteCounters
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.trace import AccessKind, Atomics, Branch, Site, Space

SiteKey = tuple[int, int, str, str]
"""Line, column (0 if unknown), kind of access and space of a location in the source."""
_UNKNOWN = 2**64 - 1
_MOST_FOOTPRINTS = 1024
"""``TL_MOST_FOOTPRINTS``: of this many, some location may have none."""
_ACCESS = (AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC)
_STORES, _ATOMICS = 5, 10
"""Kinds of access from which on they store, and are atomic: see ``tl_kind``."""

ArrayName = Callable[[int, bool], str]
"""Name of an array by its number and whether it is a shared variable."""


def sites_of(
    call: Call, buffers: TraceBuffers
) -> tuple[tuple[Site, ...], dict[tuple[int, int], int]]:
    """Sites by location, and the index of each (address, space)."""

    def array_name(number: int, shared: bool) -> str:
        return buffers.array_name(call, number, shared)

    merged: dict[SiteKey, Site] = {}
    contended_lanes: Counter[SiteKey] = Counter()
    keys: dict[tuple[int, int], SiteKey] = {}
    for seen in call.request.sites[: call.request.site_count]:
        site = _site(call, seen, array_name(seen.array, bool(seen.shared)))
        key = (site.line, site.column or 0, site.kind.value, site.space.value)
        merged[key] = _merged(merged[key], site) if key in merged else site
        keys[seen.pc, seen.shared] = key
        contended_lanes[key] += seen.contended_lanes
    totals = LocationTotals.of(call, array_name)
    order = {key: number for number, key in enumerate(sorted(merged))}
    sites = tuple(
        totals.with_totals(key, merged[key], contended_lanes[key]) for key in sorted(merged)
    )
    return sites, {at: order[key] for at, key in keys.items()}


def _site(call: Call, seen: SiteCounters, array: str) -> Site:
    line, column = call.location(seen.pc)
    kind = AccessKind.READ if seen.kind < _STORES else AccessKind.WRITE
    return Site(
        line=line,
        column=column or None,
        kind=kind if seen.kind < _ATOMICS else AccessKind.ATOMIC,
        space=Space.SHARED if seen.shared else Space.GLOBAL,
        array=array,
        requests=seen.requests,
        sectors=seen.sectors,
        ideal_sectors=seen.ideal,
        bank_conflicts=seen.conflicts,
        active_lanes=seen.lanes,
        requested_bytes=seen.lanes * seen.size,
    )


def _merged(one: Site, other: Site) -> Site:
    return replace(
        one,
        array=one.array if one.array == other.array else "",
        requests=one.requests + other.requests,
        sectors=one.sectors + other.sectors,
        ideal_sectors=one.ideal_sectors + other.ideal_sectors,
        bank_conflicts=one.bank_conflicts + other.bank_conflicts,
        active_lanes=one.active_lanes + other.active_lanes,
        requested_bytes=one.requested_bytes + other.requested_bytes,
    )


@dataclass(frozen=True, slots=True)
class LocationTotals:
    """Footprints and contention histograms by location."""

    records: Mapping[SiteKey, Sequence[LocationRecord]]
    crowded: bool
    """Whether there were more locations than the engine distinguishes."""
    array_name: ArrayName

    @classmethod
    def of(cls, call: Call, array_name: ArrayName) -> LocationTotals:
        """Those of a finished launch."""
        found: dict[SiteKey, list[LocationRecord]] = defaultdict(list)
        records = call.request.locations[: call.request.location_count]
        for record in records:
            line, column = call.location(record.location)
            space = Space.SHARED if record.shared else Space.GLOBAL
            found[line, column, _ACCESS[record.access].value, space.value].append(record)
        return cls(found, len(records) >= _MOST_FOOTPRINTS, array_name)

    def with_totals(self, key: SiteKey, site: Site, contended_lanes: int) -> Site:
        """A site with its distinct bytes and, if it is atomic, the contention at its addresses."""
        records = self.records.get(key, ())
        if site.space is Space.GLOBAL:
            site = replace(site, distinct_bytes=self._distinct(records))
        if site.kind is AccessKind.ATOMIC:
            site = replace(site, atomics=self._atomics(records, contended_lanes))
        return site

    def _distinct(self, records: Sequence[LocationRecord]) -> int | None:
        if self.crowded or any(record.distinct == _UNKNOWN for record in records):
            return None
        return sum(int(record.distinct) for record in records)

    def _atomics(self, records: Sequence[LocationRecord], contended_lanes: int) -> Atomics:
        if self.crowded or any(record.uncounted for record in records):
            return Atomics(contended_lanes)
        if not records:
            return Atomics(contended_lanes, 0, 0)
        most = max(records, key=lambda record: record.most)
        return Atomics(
            contended_lanes,
            addresses=sum(record.addresses for record in records),
            most=most.most,
            array=self.array_name(most.array, bool(most.shared)),
            index=most.element,
            block=most.block if most.shared else None,
        )


def distinct_bytes(call: Call) -> dict[str, int | None]:
    """By array: bytes that were accessed; None where there was no room to count."""
    seen = zip(call.packed.arrays, call.request.arrays[: call.request.array_count], strict=True)
    return {name: None if one.distinct == _UNKNOWN else one.distinct for name, one in seen}


def branches_of(call: Call) -> tuple[Branch, ...]:
    """Branches that a warp executed, with how often it diverged; merged by location."""
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    counters = call.request.branches[: call.request.branch_count]
    for site, seen in zip(call.binary.flow.branches, counters, strict=True):
        executed, diverged = sums.get((site.line, site.column), (0, 0))
        sums[site.line, site.column] = executed + seen.executed, diverged + seen.divergent
    return tuple(
        Branch(line, column or None, *sums[line, column])
        for line, column in sorted(sums)
        if sums[line, column][0]
    )
