# SPDX-License-Identifier: MIT
"""Which bytes each place of the source touched, and how its atomics fell on addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from threadloom.backends.emulator.interface import TouchedRecord
from threadloom.backends.emulator.launching import Call
from threadloom.model.trace import AccessKind, Atomics, Site, Space

SiteKey = tuple[int, int, str, str]
"""Line, column (0 if unknown), kind of access and space of a place in the source."""
_UNKNOWN = 2**64 - 1
_MOST_FOOTPRINTS = 1024
"""``TL_MOST_FOOTPRINTS``: of this many, some place may have none."""
_ACCESS = (AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC)

ArrayName = Callable[[int, bool], str]
"""Name of an array by its number and whether it is a shared variable."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The engine's records by place."""

    records: Mapping[SiteKey, Sequence[TouchedRecord]]
    crowded: bool
    """Whether there were more places than the engine keeps apart."""
    array_name: ArrayName

    @classmethod
    def of(cls, call: Call, array_name: ArrayName) -> Touched:
        """Those of a launch that is over."""
        found: dict[SiteKey, list[TouchedRecord]] = defaultdict(list)
        records = call.request.touched[: call.request.touched_count]
        for record in records:
            line, column = call.place(record.place)
            space = Space.SHARED if record.shared else Space.GLOBAL
            found[line, column, _ACCESS[record.access].value, space.value].append(record)
        return cls(found, len(records) >= _MOST_FOOTPRINTS, array_name)

    def told(self, key: SiteKey, site: Site, meeting: int) -> Site:
        """A site with its distinct bytes and, if it is an atomic one, what met at its addresses."""
        records = self.records.get(key, ())
        if site.space is Space.GLOBAL:
            site = replace(site, distinct_bytes=self._distinct(records))
        if site.kind is AccessKind.ATOMIC:
            site = replace(site, atomics=self._atomics(records, meeting))
        return site

    def _distinct(self, records: Sequence[TouchedRecord]) -> int | None:
        if self.crowded or any(record.distinct == _UNKNOWN for record in records):
            return None
        return sum(int(record.distinct) for record in records)

    def _atomics(self, records: Sequence[TouchedRecord], meeting: int) -> Atomics:
        if self.crowded or any(record.uncounted for record in records):
            return Atomics(meeting)
        if not records:
            return Atomics(meeting, 0, 0)
        most = max(records, key=lambda record: record.most)
        return Atomics(
            meeting,
            addresses=sum(record.addresses for record in records),
            most=most.most,
            array=self.array_name(most.array, bool(most.shared)),
            index=most.element,
            block=most.block if most.shared else None,
        )


def distinct_bytes(call: Call) -> dict[str, int | None]:
    """By array: bytes that any place touched; None where there was no room to count."""
    seen = zip(call.packed.arrays, call.request.arrays[: call.request.array_count], strict=True)
    return {name: None if one.distinct == _UNKNOWN else one.distinct for name, one in seen}
