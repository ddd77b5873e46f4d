// SPDX-License-Identifier: MIT
// Warp collectives: synchronization, shuffles, votes and the active mask.
#pragma once
#include "scheduler/worker.h"

tl_u32 tl_same_collective(tl_worker *worker, tl_warp &warp, const tl_lane &lane);   // lanes in the same call
void tl_complete_collective(tl_worker *worker, tl_warp &warp, tl_u32 group);
void tl_resolve_active_mask(tl_worker *worker, tl_u32 warp);
