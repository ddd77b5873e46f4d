# SPDX-License-Identifier: MIT
"""When and where each block of one run ran, for a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timeline import BlockTimeline
from threadloom.services.bench.environment import environment

COLUMNS = ("block", "sm", "wave", "start_s", "end_s")
WARP_COLUMNS = ("block", "warp", "sm", "wave", "start_s", "end_s")


@dataclass(frozen=True, slots=True)
class TimelineSummary:
    """What a timeline says of the whole launch, with the names of `BlockTimeline`."""

    provenance: Provenance
    blocks: int
    stride: int
    sm_count: int
    slots: int
    waves: int
    duration_s: float
    sms_seen: int | None = None
    """This and what follows is None if the timeline is modeled."""
    most_resident: int | None = None
    most_warps_resident: int | None = None
    kernel_s: float | None = None
    slowed: float | None = None
    resolution_s: float | None = None

    @classmethod
    def of(cls, line: BlockTimeline, sm_count: int) -> TimelineSummary:
        """Count what there is to count."""
        whole = cls(
            provenance=line.provenance,
            blocks=line.blocks,
            stride=line.stride,
            sm_count=sm_count,
            slots=line.slots,
            waves=line.waves,
            duration_s=line.duration_s,
        )
        if line.provenance is not Provenance.MEASURED:
            return whole
        return replace(
            whole,
            sms_seen=len(line.busy_seconds()),
            most_resident=line.most_resident,
            most_warps_resident=line.most_warps_resident,
            kernel_s=line.kernel_s,
            slowed=line.slowed,
            resolution_s=line.resolution_s,
        )


@dataclass(frozen=True, slots=True)
class BlocksRecord:
    """What of a run goes into a file of blocks."""

    job: Job
    launch: Launch
    device: str
    timeline: TimelineSummary
    each: BlockTimeline
    environment: Mapping[str, str]

    @classmethod
    def of(cls, run: Run) -> BlocksRecord:
        """Take the blocks of a run that has just been made.

        Raises:
            ValueError: If no block ran.
        """
        if run.timeline is None:
            raise ValueError("the run has no timeline")
        return cls(
            job=run.job,
            launch=run.launch,
            device=run.device.name,
            timeline=TimelineSummary.of(run.timeline, run.device.sm_count),
            each=run.timeline,
            environment=environment(run.device, run.job.seed),
        )


def block_columns(record: BlocksRecord) -> dict[str, list[int | float]]:
    """One list for each column; a row is a warp if the warps' own times are known, else a block."""
    columns, rows = block_rows(record.each)
    listed = list(rows)
    return {column: [row[place] for row in listed] for place, column in enumerate(columns)}


def block_rows(line: BlockTimeline) -> tuple[tuple[str, ...], Iterator[tuple[int | float, ...]]]:
    """Names of the columns and the rows. Of a sample, a block's number is that of its group."""
    numbers = range(0, len(line.sm) * line.stride, line.stride)
    common = zip(numbers, line.sm.tolist(), line.wave.tolist(), strict=True)
    if line.warp_start_s is None or line.warp_end_s is None:
        times = zip(line.start_s.tolist(), line.end_s.tolist(), strict=True)
        return COLUMNS, ((*one, *both) for one, both in zip(common, times, strict=True))
    warps = zip(line.warp_start_s.tolist(), line.warp_end_s.tolist(), strict=True)
    return WARP_COLUMNS, (
        (block, warp, sm, wave, start, end)
        for (block, sm, wave), (starts, ends) in zip(common, warps, strict=True)
        for warp, (start, end) in enumerate(zip(starts, ends, strict=True))
    )
