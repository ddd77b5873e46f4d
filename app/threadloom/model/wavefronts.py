# SPDX-License-Identifier: MIT
"""How often a launch passes through the SMs' L1 caches and shared memories, counted in a trace."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.trace import AccessKind, Site, Space

SECTORS_PER_PASS = 4
"""A pass moves 128 bytes."""


def count_wavefronts(sites: Iterable[Site]) -> int:
    """Least number of passes that these accesses take, all SMs together.

    Cache and shared memory of an SM are one unit that serves 128 bytes a clock (NVIDIA, "H100
    Tensor Core GPU Architecture", and measured so by Jia et al., "Dissecting the NVIDIA Volta GPU
    Architecture via Microbenchmarking", 2018, section 3.4). A warp's access to shared memory is one
    pass and one more for each conflict; one to global memory is as many as its sectors fill, at
    least one. Atomics on global memory are worked out in the L2 cache and count as nothing here.
    """
    return sum(_of(site) for site in sites)


def _of(site: Site) -> int:
    if site.space is Space.SHARED:
        return site.requests + site.bank_conflicts
    if site.kind is AccessKind.ATOMIC:
        return 0
    return max(site.requests, -(-site.sectors // SECTORS_PER_PASS))
