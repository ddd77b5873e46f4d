// SPDX-License-Identifier: MIT
// Waits for a launch's end, and stops it at its time limit. The thread that runs then need not be the
// cause: in the limit's second half a signal samples each worker's progress, and a thread spins if no
// thread of its block has ended for an eighth of the limit of processor time.
#include "scheduler/watchdog.h"
#include "runtime/clock.h"
#include "runtime/code_range.h"
#include "runtime/lock.h"
#include "scheduler/barrier.h"
#include "scheduler/lanes.h"
#include "scheduler/scheduler.h"
#include "scheduler/time_limit.h"
#include <signal.h>
#include <string.h>
#include <time.h>

static const tl_u64 SAMPLES = 16;                // in the second half of the limit
static const tl_u64 SPIN_SHARE = 8;              // a spinning thread's share of the limit
static const tl_u64 LEAST_IDLE_NS = 4000000;
static const tl_u64 LEAST_WAIT_NS = 1000000;
static const tl_u64 GRACE_NS = 600000000;        // a busy machine may have kept workers waiting

static pthread_mutex_t ENDINGS = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ENDED = PTHREAD_COND_INITIALIZER;

void tl_worker_ended(tl_launch *launch) {
    pthread_mutex_lock(&ENDINGS);
    launch->running -= 1;
    pthread_cond_signal(&ENDED);
    pthread_mutex_unlock(&ENDINGS);
}

// Waits for the workers to end, for so long at most; whether they have.
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

// On the worker's own thread -----------------------------------------------------------------------

// Number of threads of the block that have started and ended: if it stays the same, none has ended.
static tl_u64 done_in_block(tl_worker *w) {
    if (w->looping) return tl_thread_number(w);
    if (!w->sequential) return w->lanes_in_block - w->alive;
    tl_u64 done = w->next_lane;
    for (tl_u32 i = (w->next_lane - 1) / 32 * 32; i < w->next_lane; ++i) done += w->lanes[i].state == LANE_DONE;
    return done;
}

static void sample(tl_worker *w, tl_u64 pc) {
    tl_watchdog &watchdog = w->watchdog;
    tl_u64 done = done_in_block(w), now = tl_thread_cpu_ns();
    if (!watchdog.samples || watchdog.block != w->block_number || watchdog.done != done) {
        watchdog.samples = 0;
        watchdog.block = w->block_number;
        watchdog.done = done;
        watchdog.since = now;
        watchdog.released = w->released;
        for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) watchdog.collectives[i] = w->warps[i].next_snapshot;
    }
    tl_u32 at = watchdog.samples++ % (TL_SPIN_SAMPLES - 1);
    watchdog.lanes[at] = w->current;
    watchdog.pcs[at] = w->lane_runs && tl_in_kernel(pc) ? pc : 0;
    watchdog.idle_ns = now - watchdog.since;   // the other thread reads these two, each whole
    watchdog.used_ns = now;
}

// Whether a lane spins: it can run, or what it waits for has arrived since.
static bool may_spin(tl_worker *w, tl_u32 lane) {
    const tl_watchdog &watchdog = w->watchdog;
    tl_lane_state state = w->lanes[lane].state;
    if (state == LANE_DONE) return false;
    if (tl_at_barrier(w, lane)) return w->released != watchdog.released;
    bool in_collective = state == LANE_WARP || state == LANE_ACTIVE;
    return !in_collective || w->warps[lane / 32].next_snapshot != watchdog.collectives[lane / 32];
}

static tl_u32 first_spinning_lane(tl_worker *w) {
    if (w->looping) return (tl_u32)(tl_thread_number(w) % w->launch->threads_per_block);
    tl_u32 end = w->sequential ? w->next_lane : w->lanes_in_block;
    for (tl_u32 i = w->sequential ? (end - 1) / 32 * 32 : 0; i < end; ++i)
        if (may_spin(w, i)) return i;
    return w->current;
}

void tl_report_spin(tl_worker *w) {
    tl_launch *launch = w->launch;
    tl_request *request = launch->request;
    tl_u32 lane = first_spinning_lane(w), named = 0;
    tl_u64 thread = w->block_number * launch->threads_per_block + lane;
    for (tl_u32 i = 0; i < TL_SPIN_SAMPLES; ++i) named += w->watchdog.pcs[i] && w->watchdog.lanes[i] == lane;
    tl_lock(&launch->lock);
    if (request->timeout != TL_SPINNING || thread < request->spin_thread) {
        request->timeout = TL_SPINNING;
        request->spin_thread = thread;
        request->spin_line = w->released != w->watchdog.released ? w->barriers[lane] : 0;
        for (tl_u32 i = 0; i < TL_SPIN_SAMPLES; ++i)
            request->spin_pcs[i] = !named || w->looping || w->watchdog.lanes[i] == lane ? w->watchdog.pcs[i] : 0;
        request->spin_pcs[TL_SPIN_SAMPLES - 1] = tl_trace.last_site(w, lane);
    }
    tl_unlock(&launch->lock);
}

void tl_watchdog_signal(tl_worker *w, tl_u64 pc) {
    if (!w->launch->timed_out) {
        sample(w, pc);
        return;
    }
    // Within the engine or a mathematical function: the next signal comes soon.
    if (w->lane_runs && tl_in_kernel(pc)) tl_stop_lane(w);
}

// On the caller's thread ---------------------------------------------------------------------------

static void signal_all(const pthread_t *threads, tl_u32 count) {
    for (tl_u32 i = 0; i < count; ++i) pthread_kill(threads[i], SIGXCPU);
}

// Processor time of a worker's thread: as the thread left it at its end, else from its clock.
static tl_u64 worker_cpu_ns(tl_worker *w, pthread_t thread) {
    clockid_t clock;
    timespec t;
    if (w->ended || pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t)) return w->watchdog.used_ns;
    return (tl_u64)t.tv_sec * 1000000000ull + (tl_u64)t.tv_nsec;
}

static tl_u64 launch_cpu_ns(tl_launch *launch, const pthread_t *threads, tl_u32 count) {
    tl_u64 used[TL_WORKERS];
    for (tl_u32 i = 0; i < count; ++i) used[i] = worker_cpu_ns(launch->workers[i], threads[i]);
    bool in_rotation = launch->request->observed && launch->request->uses_fences;
    return tl_launch_cpu_ns(used, count, in_rotation ? 1 : launch->request->cores);
}

// Waits until the launch has used so much of its limit; whether it has ended before.
static bool ended_before(tl_launch *launch, const pthread_t *threads, tl_u32 count, tl_u64 limit, tl_u64 start) {
    for (;;) {
        tl_u64 left = tl_time_left_ns(limit, launch_cpu_ns(launch, threads, count), tl_monotonic_ns() - start);
        if (!left) return false;
        if (ended_within(launch, left < LEAST_WAIT_NS ? LEAST_WAIT_NS : left)) return true;
    }
}

// Whether it is certain that some worker spins, or that all that still run make progress.
static bool decided(tl_launch *launch, bool finally) {
    tl_u64 limit = launch->request->limit_ns;
    bool any = false, all = true;
    for (tl_u32 i = 0; i < launch->worker_count; ++i) {
        tl_watchdog &watchdog = launch->workers[i]->watchdog;
        if (launch->workers[i]->ended) continue;
        tl_u64 idle = watchdog.idle_ns, used = watchdog.used_ns;
        watchdog.spins = idle >= limit / SPIN_SHARE;
        if (finally) watchdog.spins |= idle >= LEAST_IDLE_NS && idle >= used / SPIN_SHARE;
        any |= watchdog.spins;
        all &= used >= limit / 2;
    }
    return any || all || finally;
}

void tl_watchdog_wait(tl_launch *launch, const pthread_t *threads, tl_u32 count) {
    tl_u64 limit = launch->request->limit_ns, start = tl_monotonic_ns();
    if (!limit || ended_before(launch, threads, count, limit / 2, start)) return;
    for (tl_u64 i = 1; i <= SAMPLES; ++i) {
        signal_all(threads, count);
        if (ended_before(launch, threads, count, limit / 2 + limit / 2 * i / SAMPLES, start)) return;
    }
    tl_u64 end = tl_monotonic_ns() + GRACE_NS;
    while (!decided(launch, tl_monotonic_ns() > end)) {
        signal_all(threads, count);
        if (ended_within(launch, 5000000)) return;
    }
    launch->timed_out = true;
    launch->stop = 1;
    do signal_all(threads, count);
    while (!ended_within(launch, 2000000));
    if (launch->request->timeout == TL_IN_TIME) launch->request->timeout = TL_TOO_LONG;
}
