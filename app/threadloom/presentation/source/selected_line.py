# SPDX-License-Identifier: MIT
"""The line of code that the selected thread is at."""

from __future__ import annotations

import numpy as np

from threadloom.model.launch import Launch, ThreadId
from threadloom.model.timeline import BlockTimeline
from threadloom.model.trace import Trace


def selected_line(
    trace: Trace,
    launch: Launch,
    thread: ThreadId,
    timeline: BlockTimeline | None,
    playhead_s: float,
) -> int | None:
    """Line of the thread's access that the animation has come to; its last one outside of it.

    None if the accesses of its block were not kept, or it made none.
    """
    block = trace.block
    if block is None or block.block != thread.block:
        return None
    rows = np.flatnonzero(block.thread == launch.block.linear(thread.thread))
    if not rows.size:
        return None
    rows = rows[np.argsort(block.step[rows], kind="stable")]
    share = _share(timeline, launch, thread, playhead_s)
    row = rows[min(int(share * rows.size), rows.size - 1)]
    return trace.sites[int(block.site[row])].line


def _share(
    timeline: BlockTimeline | None, launch: Launch, thread: ThreadId, playhead_s: float
) -> float:
    """How far the thread's block has come, 0 to 1; 1 before it starts, as nothing moves then."""
    if timeline is None:
        return 1.0
    place = launch.grid.linear(thread.block) // timeline.stride
    if not 0 <= place < len(timeline.start_s):
        return 1.0
    start, end = float(timeline.start_s[place]), float(timeline.end_s[place])
    if not start < playhead_s < end:
        return 1.0
    return (playhead_s - start) / (end - start)
