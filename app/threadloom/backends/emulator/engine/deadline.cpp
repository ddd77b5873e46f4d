// SPDX-License-Identifier: MIT
// Waits for a launch's end, and stops it when its time is over. Whoever happens to run then need not
// be the one to blame: in the limit's second half a signal asks each worker now and then how far it is,
// and a thread spins if, in its block, no thread has ended for an eighth of the limit of processor time.
#include "lanes.h"
#include <signal.h>
#include <string.h>
#include <time.h>

static const tl_u64 LOOKS = 16;                  // in the second half of the limit
static const tl_u64 PART = 8;                    // of the limit
static const tl_u64 LEAST_SPUN_NS = 4000000;
static const tl_u64 PATIENCE_NS = 600000000;     // a busy machine may have kept workers waiting

static pthread_mutex_t ENDINGS = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ENDED = PTHREAD_COND_INITIALIZER;

void tl_worker_ended(tl_launch *launch) {
    pthread_mutex_lock(&ENDINGS);
    launch->running -= 1;
    pthread_cond_signal(&ENDED);
    pthread_mutex_unlock(&ENDINGS);
}

// Waits so long for the workers to end; whether they have.
static bool ended_within(tl_launch *launch, tl_u64 ns) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    tl_u64 sum = (tl_u64)until.tv_nsec + ns;
    until.tv_sec += (time_t)(sum / 1000000000ull);
    until.tv_nsec = (long)(sum % 1000000000ull);
    pthread_mutex_lock(&ENDINGS);
    while (launch->running)
        if (pthread_cond_timedwait(&ENDED, &ENDINGS, &until)) break;
    bool ended = !launch->running;
    pthread_mutex_unlock(&ENDINGS);
    return ended;
}

// On the worker's own thread ---------------------------------------------------------------------

static tl_u64 processor_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (tl_u64)t.tv_sec * 1000000000ull + (tl_u64)t.tv_nsec;
}

// Threads of the block that have started and that have ended: the same number again means that none has.
static tl_u64 done_in_block(tl_worker *w) {
    if (w->looping) return tl_thread_number(w);
    if (!w->lone) return w->lanes_in_block - w->alive;
    tl_u64 done = w->next_lane;
    for (tl_u32 i = (w->next_lane - 1) / 32 * 32; i < w->next_lane; ++i) done += w->lanes[i].state == LANE_DONE;
    return done;
}

static void look(tl_worker *w, tl_u64 pc) {
    tl_watch &watch = w->watch;
    tl_u64 done = done_in_block(w), now = processor_ns();
    if (!watch.samples || watch.block != w->block_number || watch.done != done) {
        watch.samples = 0;
        watch.block = w->block_number;
        watch.done = done;
        watch.since = now;
        watch.released = w->released;
        for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) watch.meetings[i] = w->warps[i].next_snapshot;
    }
    tl_u32 at = watch.samples++ % (TL_SPUN - 1);
    watch.lanes[at] = w->current;
    watch.pcs[at] = w->lane_runs && tl_in_kernel(pc) ? pc : 0;
    watch.spun = now - watch.since;   // the other thread reads these two, each whole
    watch.used = now;
}

// Whether a lane goes round: it can run, or what it waits for has come since.
static bool goes_round(tl_worker *w, tl_u32 lane) {
    const tl_watch &watch = w->watch;
    tl_lane_state state = w->lanes[lane].state;
    if (state == LANE_DONE) return false;
    if (tl_waits(w, lane)) return w->released != watch.released;
    bool meets = state == LANE_WARP || state == LANE_ACTIVE;
    return !meets || w->warps[lane / 32].next_snapshot != watch.meetings[lane / 32];
}

static tl_u32 first_that_spins(tl_worker *w) {
    if (w->looping) return (tl_u32)(tl_thread_number(w) % w->launch->threads_per_block);
    tl_u32 end = w->lone ? w->next_lane : w->lanes_in_block;
    for (tl_u32 i = w->lone ? (end - 1) / 32 * 32 : 0; i < end; ++i)
        if (goes_round(w, i)) return i;
    return w->current;
}

void tl_name_spinner(tl_worker *w) {
    tl_launch *launch = w->launch;
    tl_request *request = launch->request;
    tl_u32 lane = first_that_spins(w), named = 0;
    tl_u64 thread = w->block_number * launch->threads_per_block + lane;
    for (tl_u32 i = 0; i < TL_SPUN; ++i) named += w->watch.pcs[i] && w->watch.lanes[i] == lane;
    tl_lock(&launch->lock);
    if (request->overdue != TL_SPINS || thread < request->spun_thread) {
        request->overdue = TL_SPINS;
        request->spun_thread = thread;
        request->spun_line = w->released != w->watch.released ? w->barriers[lane] : 0;
        for (tl_u32 i = 0; i < TL_SPUN; ++i)
            request->spun[i] = !named || w->looping || w->watch.lanes[i] == lane ? w->watch.pcs[i] : 0;
        request->spun[TL_SPUN - 1] = tl_observer_last_site(w, lane);
    }
    tl_unlock(&launch->lock);
}

void tl_alarm(tl_worker *w, tl_u64 pc) {
    if (!w->launch->overdue) {
        look(w, pc);
        return;
    }
    // In the midst of the engine or of a mathematical function it is asked again in a moment.
    if (!w->lane_runs || !tl_in_kernel(pc)) return;
    w->stopped = true;
    tl_observer_lane_stop(w, w->current);
    w->lane_runs = false;
    void *unused;
    tl_switch(&unused, w->home);
}

// On the caller's thread ---------------------------------------------------------------------------

static void alarm_all(const pthread_t *threads, tl_u32 count) {
    for (tl_u32 i = 0; i < count; ++i) pthread_kill(threads[i], SIGXCPU);
}

// Whether it is settled that some worker spins, or that all that still run get on.
static bool settled(tl_launch *launch, bool finally) {
    tl_u64 limit = launch->request->limit_ns;
    bool any = false, all = true;
    for (tl_u32 i = 0; i < launch->worker_count; ++i) {
        tl_watch &watch = launch->workers[i]->watch;
        if (launch->workers[i]->ended) continue;
        tl_u64 spun = watch.spun, used = watch.used;
        watch.spins = spun >= limit / PART;
        if (finally) watch.spins |= spun >= LEAST_SPUN_NS && spun >= used / PART;
        any |= watch.spins;
        all &= used >= limit / 2;
    }
    return any || all || finally;
}

void tl_wait_for_workers(tl_launch *launch, const pthread_t *threads, tl_u32 count) {
    tl_u64 limit = launch->request->limit_ns;
    if (!limit || ended_within(launch, limit / 2)) return;
    for (tl_u64 i = 0; i < LOOKS; ++i) {
        alarm_all(threads, count);
        if (ended_within(launch, limit / 2 / LOOKS)) return;
    }
    tl_u64 end = tl_monotonic_ns() + PATIENCE_NS;
    while (!settled(launch, tl_monotonic_ns() > end)) {
        alarm_all(threads, count);
        if (ended_within(launch, 5000000)) return;
    }
    launch->overdue = true;
    launch->stop = 1;
    do alarm_all(threads, count);
    while (!ended_within(launch, 2000000));
    if (launch->request->overdue == TL_IN_TIME) launch->request->overdue = TL_TOO_LONG;
}
