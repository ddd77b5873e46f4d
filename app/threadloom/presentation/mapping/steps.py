# SPDX-License-Identifier: MIT
"""One step through a launch, in time or from thread to thread."""

from __future__ import annotations

import numpy as np

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.access_times import places, steps
from threadloom.presentation.mapping.drawing_state import DrawingState


def next_step(drawing: DrawingState, by: int) -> float:
    """Time of the next (1) or last (-1) change.

    While the selected block runs and its accesses are known, that is its next access; else the
    start or end of any block.
    """
    model, now = drawing.model, drawing.time_s
    timeline = model.timeline
    if timeline is None or not timeline.start_s.size:
        return 0.0
    slack = model.duration_s * 1e-7
    times = _times_of_accesses(drawing)
    if times is None or not times[0] - slack <= now <= times[-1] + slack:
        times = np.concatenate([[0.0], timeline.start_s, timeline.end_s, [model.duration_s]])
    found = times[times > now + slack] if by > 0 else times[times < now - slack]
    if not found.size:
        times = np.concatenate([[0.0], timeline.start_s, timeline.end_s, [model.duration_s]])
        found = times[times > now + slack] if by > 0 else times[times < now - slack]
    if not found.size:
        return model.duration_s if by > 0 else 0.0
    return float(found.min() if by > 0 else found.max())


def _times_of_accesses(
    drawing: DrawingState,
) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    model = drawing.model
    if drawing.thread is None or model.timeline is None:
        return None
    trace = model.trace_of(drawing.thread.block)
    if trace is None or not trace.step.size:
        return None
    place = int(model.timeline_index(np.array([drawing.block_number]))[0])
    start, end = float(model.timeline.start_s[place]), float(model.timeline.end_s[place])
    warp, _lane = drawing.thread.warp_and_lane(model.launch)
    whole = steps(trace)
    made = places(np.arange(whole), np.full(whole, warp), model.launch) / whole
    # A little later, so that single precision of the elements' times does not hide the access.
    made = start + (end - start) * made + model.duration_s * 1e-6
    return np.concatenate([[start], np.minimum(made, end), [end]])


def moved(thread: ThreadId, grid: Dim3, block: Dim3, axis: int, by: int) -> ThreadId:
    """The thread so many places on along an axis of the whole launch; it stops at the ends."""
    extents, blocks = list(block), list(grid)
    inside, out_of_bounds = list(thread.thread), list(thread.block)
    last = extents[axis] * blocks[axis] - 1
    place = out_of_bounds[axis] * extents[axis] + inside[axis] + by
    out_of_bounds[axis], inside[axis] = divmod(min(max(0, place), last), extents[axis])
    return ThreadId(Dim3.of(out_of_bounds), Dim3.of(inside))
