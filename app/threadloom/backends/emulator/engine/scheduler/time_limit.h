// SPDX-License-Identifier: MIT
// The time limit of a launch: processor time, and a generous wall-clock limit behind it for launches
// that wait without computing.
#pragma once
#include "device/state.h"

static const tl_u64 TL_WALL_FACTOR = 6;   // of the limit of processor time

// How long a launch has run, as if it had its cores for itself: the processor time of its workers by core,
// or that of the busiest worker.
tl_u64 tl_launch_cpu_ns(const tl_u64 *used, tl_u32 workers, tl_u64 cores);
// Time until `limit` of processor time may have been used; 0 if it has been, or if the wall-clock limit
// that belongs to it has elapsed.
tl_u64 tl_time_left_ns(tl_u64 limit, tl_u64 used, tl_u64 elapsed);
