// SPDX-License-Identifier: MIT
// One core's share of a launch: a block at a time, its threads as fibres or one after another.
#pragma once
#include <pthread.h>
#include "memory.h"

static const tl_u32 TL_MAX_LANES = 1024;
static const tl_u32 TL_SNAPSHOTS = 64;
static const tl_u32 TL_SHARED_PAD = 256;

// A lane at a barrier stays "ready" here; the worker's bits say that it waits.
enum tl_lane_state : tl_u8 { LANE_READY, LANE_WARP, LANE_ACTIVE, LANE_FULL, LANE_DONE };

struct tl_lane {
    tl_lane_state state;
    tl_u8 counted;             // already counted as one that never reached a barrier
    tl_u16 snapshot;
    tl_u32 mask, exchange;     // of a meeting in the warp: who is named, and in what kind of call
    tl_u64 value;
};

struct tl_warp {
    tl_u32 first, alive, arrived, active;
    tl_u32 next_snapshot;
    struct { tl_u32 present; tl_u64 values[32]; } snapshots[TL_SNAPSHOTS];
};

struct tl_launch;

// How far a worker was when the launch's time was running out, see deadline.cpp.
struct tl_watch {
    tl_u32 samples;
    bool spins;                // in its block no thread has ended for so long that one must spin
    tl_u64 block, done, released;
    tl_u64 since;              // processor time of the worker in ns when it came so far
    volatile tl_u64 spun, used;   // since then, and in all
    tl_u32 meetings[TL_MAX_LANES / 32];
    tl_u32 lanes[TL_SPUN];     // who ran at the last samples, and where
    tl_u64 pcs[TL_SPUN];
};

struct tl_worker {
    tl_launch *launch;
    tl_u32 number;
    tl_u32 lanes_in_block, alive, waiting, current, vote_true, vote_result;
    bool lane_runs;            // false while the worker itself runs
    bool looping;              // the threads of the block run one after another, without fibres
    bool stopped;              // a fault ended a plain run
    bool grid_comes;           // its lanes have come to where all blocks meet
    bool lone;                 // observed, and no thread waits for another
    tl_u32 next_lane, end_lane;
    tl_u64 ready[TL_MAX_LANES / 64], at_barrier[TL_MAX_LANES / 64];
    tl_u32 barrier;            // line of the barrier that the first lane waits at
    bool barriers_differ;      // and whether another waits at another one
    void *home;
    tl_u64 stacks, shared_area;
    tl_dim block;
    tl_u64 block_number;
    tl_u64 divergent;
    tl_u64 released;           // barriers that have let their threads go
    tl_u64 blocks_done;
    volatile bool ended;
    pthread_cond_t my_turn;    // see turns.cpp
    tl_u32 steps_of_turn, passed_at_once;
    bool left;
    tl_watch watch;
    struct tl_observer *observer;
    tl_warp warps[TL_MAX_LANES / 32];
    tl_lane lanes[TL_MAX_LANES];
    // What each switch needs lies close together, so that it stays in the nearest cache.
    void *sp[TL_MAX_LANES];
    tl_dim index[TL_MAX_LANES];
    tl_u32 barriers[TL_MAX_LANES];       // line of the barrier that each lane came to last
    tl_u32 barrier_sites[TL_MAX_LANES];  // observed: and its site
    tl_u32 warp_sites[TL_MAX_LANES];     // observed: site of the wait for a warp, likewise
    tl_u64 *log[TL_MAX_LANES];           // observed: end of what it has logged since it was read
    tl_u64 *log_end[TL_MAX_LANES];       // and the end of the room for it
};

struct tl_launch {
    tl_request *request;
    tl_u64 blocks, threads_per_block, next_block, end_block;
    tl_u32 worker_count;
    volatile tl_u32 stop;
    tl_u32 turn;               // the worker that runs, if they run in turns
    volatile bool overdue;     // its time is over, and what is to be said of it is settled
    int lock;
    tl_u32 running;            // workers that are not done
    tl_u32 grid_waiting;       // … and of those, how many wait for all others
    tl_u64 grid_turn;
    tl_u64 stray_pages;
    tl_region *regions;
    tl_worker *workers[TL_WORKERS];
};

void tl_run_worker(tl_worker *worker);
void tl_confine_thread(void);                     // for good: no files, no network, no processes
void tl_finish_lane(tl_worker *worker);           // does not come back
void tl_stop_launch(tl_worker *worker, tl_u32 kind, tl_u64 address, tl_u64 site);
tl_u64 tl_thread_number(const tl_worker *worker);
bool tl_in_kernel(tl_u64 pc);                     // rather than in the engine or a library
tl_u64 tl_monotonic_ns(void);
void tl_worker_ended(tl_launch *launch);
void tl_wait_for_workers(tl_launch *launch, const pthread_t *threads, tl_u32 count);
void tl_alarm(tl_worker *worker, tl_u64 pc);      // on the worker's own thread, by a signal
bool tl_divided(tl_worker *worker, void *context);   // whether a division was made good
tl_u64 tl_caller(void *context);                  // the place in the kernel that called a library
void tl_name_spinner(tl_worker *worker);
void tl_lock(int *lock);
void tl_unlock(int *lock);

// The observer; does nothing in a plain run.
void tl_observer_block(tl_worker *worker);        // a block starts
void tl_observer_block_done(tl_worker *worker);
void tl_observer_barrier(tl_worker *worker);      // all threads of the block have arrived
void tl_observer_warp_done(tl_worker *worker, tl_u32 warp);
bool tl_observer_room(tl_worker *worker, tl_u32 lane);
bool tl_observer_astray(tl_worker *worker);
void tl_observer_waits(tl_worker *worker, tl_u32 lane);    // for lanes of its warp that never come
void tl_observer_absent(tl_worker *worker, tl_u32 lane);   // it reads from a lane that is not there
void tl_observer_warp_full(tl_worker *worker, tl_u32 warp);
void tl_observer_lane_start(tl_worker *worker, tl_u32 lane);
void tl_observer_lane_stop(tl_worker *worker, tl_u32 lane);
void tl_observer_sync(tl_worker *worker, tl_u32 mask);
void tl_observer_fault(tl_worker *worker, tl_u32 kind, tl_u32 access, tl_u64 address, tl_u64 site);
void tl_observer_left_out(tl_worker *worker, tl_u32 lane);              // by its own mask
void tl_observer_meeting(tl_worker *worker, tl_u32 warp, tl_u32 group);   // these lanes have met
void tl_observer_fence(tl_worker *worker);
tl_u64 tl_observer_last_site(tl_worker *worker, tl_u32 lane);   // of its last accesses; 0 if unknown
void tl_observer_diverged(tl_worker *worker, tl_u32 lane, tl_u64 site);
