// SPDX-License-Identifier: MIT
// One core's share of a launch: a block at a time, its threads as fibers or one after another.
#pragma once
#include <pthread.h>
#include "runtime/memory.h"
#include "scheduler/tracer_callbacks.h"
#include "scheduler/watchdog.h"

static const tl_u32 TL_SNAPSHOTS = 64;

// A lane at a barrier stays "ready" here; the worker's bits say that it waits.
enum tl_lane_state : tl_u8 { LANE_READY, LANE_WARP, LANE_ACTIVE, LANE_LOG_FULL, LANE_DONE };

struct tl_lane {
    tl_lane_state state;
    tl_u8 counted;             // already counted as one that never reached a barrier
    tl_u16 snapshot;
    tl_u32 mask, exchange;     // of a warp collective: the lanes it names, and the kind of call
    tl_u64 value;
};

struct tl_warp {
    tl_u32 first, alive, arrived, active;
    tl_u32 next_snapshot;
    struct { tl_u32 present; tl_u64 values[32]; } snapshots[TL_SNAPSHOTS];
};

struct tl_worker {
    struct tl_launch *launch;
    tl_u32 number;
    tl_u32 lanes_in_block, alive, waiting, current, vote_true, vote_result;
    bool lane_runs;            // false while the worker itself runs
    bool looping;              // the threads of the block run one after another, without fibers
    bool stopped;              // a fault or the watchdog ended the block
    bool grid_arriving;        // its lanes have come to a grid-wide barrier
    bool sequential;           // observed, and no thread waits for another
    tl_u32 next_lane, end_lane;
    tl_u64 ready[TL_MAX_LANES / 64], at_barrier[TL_MAX_LANES / 64];
    tl_u32 barrier;            // line of the barrier that the first lane waits at
    bool barriers_differ;      // and whether another waits at another one
    void *home;
    tl_u64 stacks, shared_area;
    tl_dim block;
    tl_u64 block_number;
    tl_u64 divergent;          // lanes that did not arrive where others waited for them
    tl_u64 released;           // barriers released so far
    tl_u64 blocks_done;
    volatile bool ended;
    pthread_cond_t may_run;    // see round_robin.cpp
    tl_u32 steps_in_slice, early_yields;
    bool out_of_rotation;
    tl_watchdog watchdog;
    struct tl_tracer *tracer;  // null in an uninstrumented run
    tl_warp warps[TL_MAX_LANES / 32];
    tl_lane lanes[TL_MAX_LANES];
    // What each switch needs lies close together, so that it stays in the nearest cache.
    void *sp[TL_MAX_LANES];
    tl_dim index[TL_MAX_LANES];
    tl_u32 barriers[TL_MAX_LANES];       // line of the barrier that each lane came to last
    tl_u32 barrier_sites[TL_MAX_LANES];  // observed: and its site
    tl_u32 warp_sites[TL_MAX_LANES];     // observed: site of the latest warp collective, likewise
    tl_u64 *log[TL_MAX_LANES];           // observed: end of what it has logged since it was read
    tl_u64 *log_end[TL_MAX_LANES];       // and the end of the room for it
};

struct tl_launch {
    tl_request *request;
    tl_u64 blocks, threads_per_block, next_block, end_block;
    tl_u32 worker_count;
    volatile tl_u32 stop;
    tl_u32 running_worker;     // if workers run in round-robin order
    volatile bool timed_out;   // and the reason has been decided
    int lock;
    tl_u32 running;            // workers that are not done
    tl_u32 grid_waiting;       // … and of those, how many wait at the grid-wide barrier
    tl_u64 grid_phase;
    tl_u64 stray_pages;
    tl_region *regions;
    tl_worker *workers[TL_WORKERS];
};

tl_u64 tl_thread_number(const tl_worker *worker);   // in the launch, of the current thread
