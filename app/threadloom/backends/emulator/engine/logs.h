// SPDX-License-Identifier: MIT
// The logs of a warp while they are read.
#pragma once
#include "observer.h"

struct heads {
    tl_observer *o;
    tl_u32 warp;
    const tl_u64 *log;         // of the warp: a row of 32 entries for each step
    tl_u32 at[32], end[32];    // by lane: the row to be read next, and the one behind the last
    tl_u32 live;               // lanes that have rows left
};

static inline tl_u64 entry_of(const heads &h, tl_u32 lane) { return h.log[h.at[lane] * TL_LOG_STEP + lane]; }

static inline tl_u64 key_of(tl_u64 entry) { return ((entry >> 40) - tl_window) & 0xffffff; }
static inline tl_u32 site_in(tl_u64 key) { return (tl_u32)(key >> 4); }
static inline bool is_mark(tl_u64 key) { return (key & 15) == TL_MARK; }

void tl_marked(heads &h, tl_u32 mask, tl_u64 key, const tl_u64 *entries, tl_position &at);
void tl_parted_step(heads &h);        // of lanes that are not together, those that are behind
void tl_settle_ways(heads &h);        // nobody has rows left: lanes have ended or wait at barriers
