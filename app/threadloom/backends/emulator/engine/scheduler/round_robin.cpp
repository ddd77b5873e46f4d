// SPDX-License-Identifier: MIT
// Workers run in round-robin order, and the lanes of each likewise: a thread that spins on another lets it
// proceed, and nothing comes between the processing of an access and the access itself.
#include "scheduler/round_robin.h"
#include "scheduler/lanes.h"
#include "scheduler/scheduler.h"
#include <sched.h>

static const tl_u32 SLICE = 64;   // accesses
static const tl_u32 MOST_EARLY_YIELDS = 4096;   // of a worker; by then all races have shown
static pthread_mutex_t ROTATION = PTHREAD_MUTEX_INITIALIZER;

static void schedule_next(tl_launch *launch, tl_u32 from) {
    for (tl_u32 i = 1; i <= launch->worker_count; ++i) {
        tl_worker *next = launch->workers[(from + i) % launch->worker_count];
        if (next->out_of_rotation) continue;
        launch->running_worker = next->number;
        pthread_cond_signal(&next->may_run);
        return;
    }
}

static void wait_until_scheduled(tl_worker *w) {
    while (w->launch->running_worker != w->number) pthread_cond_wait(&w->may_run, &ROTATION);
}

void tl_round_robin_enter(tl_worker *w) {
    pthread_mutex_lock(&ROTATION);
    wait_until_scheduled(w);
    pthread_mutex_unlock(&ROTATION);
}

void tl_round_robin_yield(tl_worker *w, bool early, bool spins) {
    bool over = ++w->steps_in_slice >= SLICE || spins;
    early = early && w->early_yields < MOST_EARLY_YIELDS;
    if (!over && !early) return;
    w->early_yields += early;
    w->steps_in_slice = 0;
    if (w->launch->worker_count > 1) {
        pthread_mutex_lock(&ROTATION);
        schedule_next(w->launch, w->number);
        wait_until_scheduled(w);
        pthread_mutex_unlock(&ROTATION);
    }
    if (w->launch->timed_out) tl_stop_lane(w);   // a signal seldom finds a spinning thread in the kernel
    if (over && w->launch->request->fibers && next_ready(w, w->current) != (int)w->current) leave(w, w->current);
}

// In an uninstrumented run: called before reads of what another thread may change.
extern "C" TL_HIDDEN void tl_spin_yield() {
    tl_worker *w = tl_now.worker;
    if (++w->steps_in_slice < SLICE / 2) return;
    w->steps_in_slice = 0;
    if (w->launch->timed_out) tl_stop_lane(w);
    sched_yield();
    if (!w->looping && next_ready(w, w->current) != (int)w->current) leave(w, w->current);
}

// The worker that was running last may have left.
void tl_round_robin_rejoin(tl_worker *w) {
    pthread_mutex_lock(&ROTATION);
    w->out_of_rotation = false;
    if (w->launch->workers[w->launch->running_worker]->out_of_rotation) w->launch->running_worker = w->number;
    wait_until_scheduled(w);
    pthread_mutex_unlock(&ROTATION);
}

void tl_round_robin_leave(tl_worker *w) {
    pthread_mutex_lock(&ROTATION);
    w->out_of_rotation = true;
    schedule_next(w->launch, w->number);
    pthread_mutex_unlock(&ROTATION);
}
