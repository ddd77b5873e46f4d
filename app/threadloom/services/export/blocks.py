# SPDX-License-Identifier: MIT
"""When and where each block of one run ran, for a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timeline import BlockTimeline
from threadloom.services.bench.environment import environment
from threadloom.services.export.plain import Plain, job_to_plain, launch_to_plain

BLOCKS = "threadloom-blocks"
COLUMNS = ("block", "sm", "wave", "start_s", "end_s")
WARP_COLUMNS = ("block", "warp", "sm", "wave", "start_s", "end_s")


@dataclass(frozen=True, slots=True)
class BlocksRecord:
    """What of a run's result goes into a file of blocks."""

    job: Job
    launch: Launch
    device: str
    sm_count: int
    timeline: BlockTimeline
    environment: Mapping[str, str]

    @classmethod
    def of(cls, result: Run) -> BlocksRecord:
        """Take the blocks of a run that has just been made.

        Raises:
            ValueError: If no block ran.
        """
        if result.timeline is None:
            raise ValueError("the run has no timeline")
        return cls(
            job=result.job,
            launch=result.launch,
            device=result.device.name,
            sm_count=result.device.sm_count,
            timeline=result.timeline,
            environment=environment(result.device, result.job.seed),
        )


def timeline_summary(timeline: BlockTimeline, sm_count: int) -> Plain:
    """What a timeline says of the whole launch, with the names of `BlockTimeline`."""
    line = timeline
    plain: Plain = {
        "source": line.provenance.value,
        "blocks": line.blocks,
        "stride": line.stride,
        "sm_count": sm_count,
        "slots": line.slots,
        "waves": line.waves,
        "duration_s": line.duration_s,
    }
    if line.provenance is Provenance.MEASURED:
        plain |= {
            "sms_seen": len(line.busy_seconds()),
            "most_resident": line.most_resident,
            "most_warps_resident": line.most_warps_resident,
            "kernel_s": line.kernel_s,
            "slowed": line.slowed,
            "resolution_s": line.resolution_s,
        }
    return plain


def blocks_document(record: BlocksRecord) -> Plain:
    """One list for each column; a row is a warp if the warps' own times are known, else a block."""
    columns, rows = _rows(record.timeline)
    listed = list(rows)
    return _context(record) | {
        column: [row[place] for row in listed] for place, column in enumerate(columns)
    }


def blocks_table(record: BlocksRecord) -> str:
    """The same as CSV: the context as leading comments, then the rows."""
    text = io.StringIO()
    for key, value in _context(record).items():
        text.write(f"# {key}: {json.dumps(value, ensure_ascii=False)}\n")
    columns, rows = _rows(record.timeline)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _context(record: BlocksRecord) -> Plain:
    return {
        "format": BLOCKS,
        "version": 1,
        "operation": record.job.operation,
        "variant": record.job.variant,
        "device": record.device,
        "launch": launch_to_plain(record.launch),
        "timeline": timeline_summary(record.timeline, record.sm_count),
        "environment": dict(record.environment),
        "job": job_to_plain(record.job),
    }


def _rows(line: BlockTimeline) -> tuple[tuple[str, ...], Iterator[tuple[int | float, ...]]]:
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
