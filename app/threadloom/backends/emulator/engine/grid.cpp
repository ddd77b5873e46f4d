// SPDX-License-Identifier: MIT
// Where all blocks of a launch wait for each other. Each of them has a worker of its own.
#include "ordering.h"
#include "lanes.h"
#include <pthread.h>
#include <time.h>

static pthread_mutex_t GRID = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t PASSED = PTHREAD_COND_INITIALIZER;

// For so long at most, so that a stop of the launch is noticed.
static void wait_a_moment() {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec += 1;
    }
    pthread_cond_timedwait(&PASSED, &GRID, &until);
}

// Blocks that are done never come: as a block's barrier does, it then lets the others go on.
static bool all_there(tl_launch *launch) {
    return launch->grid_waiting >= __atomic_load_n(&launch->running, __ATOMIC_RELAXED);
}

static void meet_other_blocks(tl_worker *w) {
    tl_launch *launch = w->launch;
    pthread_mutex_lock(&GRID);
    tl_u64 turn = launch->grid_turn;
    launch->grid_waiting += 1;
    while (launch->grid_turn == turn && !launch->stop) {
        if (all_there(launch)) {
            launch->grid_waiting = 0;
            launch->grid_turn += 1;
            pthread_cond_broadcast(&PASSED);
        } else {
            wait_a_moment();
        }
    }
    pthread_mutex_unlock(&GRID);
}

// A launch that was stopped while this block waited: its lanes do not go on.
static void end_with_launch(tl_worker *w) {
    if (w->launch->request->observed) tl_observer_lane_stop(w, w->current);
    w->stopped = true;
    w->lane_runs = false;
    void *unused;
    tl_switch(&unused, w->home);
}

extern "C" TL_HIDDEN void tl_grid_sync() {
    tl_worker *w = tl_now.worker;
    if (w->launch->worker_count < w->launch->blocks) tl_trap();
    tl_fence();
    w->grid_comes = true;
    tl_barrier(0);
    if (w->grid_comes) {   // the first lane to go on waits for all of the block
        w->grid_comes = false;
        bool turns = w->observer && w->observer->order;
        if (turns) {
            tl_ordering_grid_comes(w->observer);
            tl_leave_turns(w);
        }
        meet_other_blocks(w);
        if (turns) {
            tl_rejoin_turns(w);
            tl_ordering_grid_goes(w->observer);
        }
        if (w->launch->stop) end_with_launch(w);
    }
    tl_barrier(0);
}
