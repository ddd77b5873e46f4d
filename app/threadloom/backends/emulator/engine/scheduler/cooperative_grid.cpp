// SPDX-License-Identifier: MIT
// All blocks of a cooperative launch run at once, each on a worker of its own.
#include "scheduler/cooperative_grid.h"
#include "scheduler/lanes.h"
#include "scheduler/round_robin.h"
#include "scheduler/scheduler.h"
#include <time.h>

static pthread_mutex_t GRID_MUTEX = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t GRID_RELEASED = PTHREAD_COND_INITIALIZER;

// Bounded, so that a stop of the launch is noticed.
static void wait_a_moment() {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec += 1;
    }
    pthread_cond_timedwait(&GRID_RELEASED, &GRID_MUTEX, &until);
}

// Blocks that are done never arrive: like a block's barrier, this one then releases the others.
static bool all_blocks_arrived(tl_launch *launch) {
    return launch->grid_waiting >= __atomic_load_n(&launch->running, __ATOMIC_RELAXED);
}

static void wait_for_other_blocks(tl_worker *w) {
    tl_launch *launch = w->launch;
    pthread_mutex_lock(&GRID_MUTEX);
    tl_u64 phase = launch->grid_phase;
    launch->grid_waiting += 1;
    while (launch->grid_phase == phase && !launch->stop) {
        if (all_blocks_arrived(launch)) {
            launch->grid_waiting = 0;
            launch->grid_phase += 1;
            pthread_cond_broadcast(&GRID_RELEASED);
        } else {
            wait_a_moment();
        }
    }
    pthread_mutex_unlock(&GRID_MUTEX);
}

extern "C" TL_HIDDEN void tl_grid_sync() {
    tl_worker *w = tl_now.worker;
    if (w->launch->worker_count < w->launch->blocks) tl_trap();
    tl_fence();
    w->grid_arriving = true;
    tl_barrier(0);
    if (w->grid_arriving) {   // the first lane to go on waits for the whole block
        w->grid_arriving = false;
        bool in_rotation = w->tracer && w->launch->request->uses_fences;
        if (in_rotation) {
            tl_trace.grid_barrier(w, false);
            tl_round_robin_leave(w);
        }
        wait_for_other_blocks(w);
        if (in_rotation) {
            tl_round_robin_rejoin(w);
            tl_trace.grid_barrier(w, true);
        }
        if (w->launch->stop) tl_stop_lane(w);
    }
    tl_barrier(0);
}
