# SPDX-License-Identifier: MIT
"""One access of one warp: which lanes touch which bytes, and what memory has to move for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from threadloom.model.array import Array
from threadloom.model.launch import WARP_SIZE
from threadloom.model.trace import BlockTrace, Site

SECTOR = 32
"""Bytes that global memory moves at least (CUDA C++ Best Practices Guide, "Coalesced Access")."""
LINE = 128
"""Bytes of a cache line: four sectors."""
BANKS = 32
"""Banks of shared memory, each 4 bytes wide (CUDA C++ Programming Guide, "Shared Memory")."""
WORD = 4


@dataclass(frozen=True, slots=True, eq=False)
class WarpAccess:
    """Lanes that take part, and what they touch. All arrays have one length."""

    site: Site
    lane: Array
    """int64, 0 to 31."""
    address: Array
    """int64, byte address."""
    element: Array
    """int64, index in the site's array."""
    size: Array
    """int64, bytes."""
    base: int
    """Address of the array's element 0."""

    @property
    def words(self) -> Array:
        """Every 4-byte word that is touched, once."""
        return np.unique(self._spread(WORD))

    @property
    def sectors(self) -> Array:
        """Every sector that is touched, once; by its number from address 0."""
        return np.unique(self._spread(SECTOR))

    @property
    def lines(self) -> Array:
        """Every 128-byte line that is touched, once; by its number from address 0."""
        return np.unique(self._spread(LINE))

    @property
    def bytes_used(self) -> int:
        """Different bytes that are touched."""
        return int(np.unique(self._spread(1)).size)

    @property
    def bytes_moved(self) -> int:
        """Bytes that global memory moves."""
        return int(self.sectors.size) * SECTOR

    @property
    def ideal_sectors(self) -> int:
        """Sectors if the same bytes lay side by side."""
        return -(-self.bytes_used // SECTOR)

    @property
    def cycles(self) -> int:
        """Passes that shared memory needs: different words in the busiest bank."""
        words = self.words
        return int(np.bincount(words % BANKS, minlength=BANKS).max()) if words.size else 0

    def _spread(self, unit: int) -> Array:
        """Numbers of the units of so many bytes that are touched, with repeats."""
        first, last = self.address // unit, (self.address + self.size - 1) // unit
        widest = int((last - first).max(initial=0)) + 1
        numbers = first[:, None] + np.arange(widest)
        return np.asarray(numbers[numbers <= last[:, None]])


def warp_accesses(trace: BlockTrace, sites: tuple[Site, ...], site: int, warp: int) -> int:
    """How many times the warp makes the access of a site: of the lane with the most."""
    lanes = trace.thread[_rows(trace, site, warp)] % WARP_SIZE
    return int(np.bincount(lanes).max()) if lanes.size else 0


def warp_access(
    trace: BlockTrace, sites: tuple[Site, ...], site: int, warp: int, time: int = 0
) -> WarpAccess:
    """What the warp does at a site for the ``time``-th time, from 0.

    Lanes that have made the access less often are not in it.
    """
    rows = _rows(trace, site, warp)
    rows = rows[np.lexsort((trace.step[rows], trace.thread[rows]))]
    lanes = trace.thread[rows] % WARP_SIZE
    first = np.searchsorted(lanes, lanes, side="left")
    chosen = rows[np.arange(rows.size) - first == time]
    address = trace.address[chosen].astype(np.int64)
    size = trace.size[chosen].astype(np.int64)
    element = trace.element[chosen].astype(np.int64)
    return WarpAccess(
        site=sites[site],
        lane=(trace.thread[chosen] % WARP_SIZE).astype(np.int64),
        address=address,
        element=element,
        size=size,
        base=_base(address, element, size),
    )


def _rows(trace: BlockTrace, site: int, warp: int) -> Array:
    return np.flatnonzero((trace.site == site) & (trace.thread // WARP_SIZE == warp))


def _base(address: Array, element: Array, size: Array) -> int:
    """Address of element 0, told from two different elements or else from the access' size."""
    if not address.size:
        return 0
    item = int(size[0])
    apart = np.flatnonzero(element != element[0])
    if apart.size:
        other = int(apart[0])
        item = int(address[other] - address[0]) // int(element[other] - element[0])
    return int(address[0]) - int(element[0]) * item
