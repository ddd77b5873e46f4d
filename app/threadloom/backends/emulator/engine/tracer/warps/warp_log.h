// SPDX-License-Identifier: MIT
// The logs of a warp while they are read.
#pragma once
#include "tracer/warps/control_flow.h"

struct warp_log {
    tl_tracer *tr;
    tl_u32 warp;
    const tl_u64 *log;         // of the warp: a row of 32 entries for each step
    tl_u32 at[32], end[32];    // by lane: the row to be read next, and the one behind the last
    tl_u32 live;               // lanes that have rows left
};

static inline tl_u64 entry_of(const warp_log &h, tl_u32 lane) { return h.log[h.at[lane] * TL_LOG_STEP + lane]; }

// Lanes in `open` will go on: nothing is read past the end of theirs. With `settle`, none will go on
// before a barrier.
void tl_read_warp_log(tl_tracer *tr, tl_u32 warp, tl_u32 open, bool settle);
void tl_flow_event_seen(warp_log &h, tl_u32 mask, tl_u64 key, const tl_u64 *entries, tl_position &at);
