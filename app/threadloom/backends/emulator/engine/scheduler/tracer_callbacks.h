// SPDX-License-Identifier: MIT
// What the scheduler reports to the tracer. In an uninstrumented run each callback does nothing.
#pragma once
#include "device/state.h"

struct tl_worker;

struct tl_tracer_callbacks {
    void (*block_begin)(tl_worker *);
    void (*block_end)(tl_worker *);
    void (*barrier_released)(tl_worker *);                // all threads of the block have arrived
    void (*lane_resumed)(tl_worker *, tl_u32 lane);
    void (*lane_suspended)(tl_worker *, tl_u32 lane);
    void (*warp_end)(tl_worker *, tl_u32 warp);           // its lanes ran one after another to their end
    void (*log_full)(tl_worker *, tl_u32 warp);
    bool (*log_has_room)(tl_worker *, tl_u32 lane);
    void (*warp_synchronized)(tl_worker *, tl_u32 mask);                    // the current lane returns from it
    void (*collective_completed)(tl_worker *, tl_u32 warp, tl_u32 group);   // by these lanes
    void (*fence)(tl_worker *);
    void (*grid_barrier)(tl_worker *, bool released);     // else the block has just arrived
    void (*fault)(tl_worker *, tl_u32 kind, tl_u32 lane, tl_u64 site);
    bool (*gave_up)(tl_worker *);                         // so many accesses are out of bounds
    tl_u64 (*last_site)(tl_worker *, tl_u32 lane);        // of its last access; 0 if unknown
};

// A constant of the same translation unit (build.py joins the sources), so that a call through it is
// a direct one and may be inlined.
extern const tl_tracer_callbacks tl_trace;
