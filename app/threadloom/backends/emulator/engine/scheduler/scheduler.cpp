// SPDX-License-Identifier: MIT
#include "scheduler/scheduler.h"
#include "device/engine_calls.h"
#include "runtime/clock.h"
#include "scheduler/barrier.h"
#include "scheduler/lanes.h"
#include "scheduler/round_robin.h"
#include "scheduler/warp_collectives.h"
#include <string.h>

extern "C" {
TL_HIDDEN __thread tl_state tl_now __attribute__((tls_model("initial-exec")));
TL_HIDDEN tl_dim tl_block_dim, tl_grid_dim;
TL_HIDDEN tl_u64 tl_dynamic_offset;
}

static void lane_main() {
    tl_worker *w = tl_now.worker;
    tl_enter(w->launch->request->arguments);
    tl_finish_lane(w);
}

// A lane whose log is full waits until the logs of its warp have been read.
extern "C" TL_HIDDEN void tl_wait_log_full() {
    tl_worker *w = tl_now.worker;
    if (!w->sequential) {
        set_waiting(w, w->current, LANE_LOG_FULL);
        leave(w, w->current);
        return;
    }
    tl_u32 me = w->current;
    tl_trace.lane_suspended(w, me);
    w->lanes[me].state = LANE_LOG_FULL;
    go_home(w, &w->sp[me]);
}

void tl_finish_lane(tl_worker *w) {
    tl_u32 me = w->current;
    tl_trace.lane_suspended(w, me);
    void *unused;
    if (w->sequential) {
        w->lanes[me].state = LANE_DONE;
        w->lane_runs = false;
        tl_switch(&unused, w->home);
    }
    if (tl_at_barrier(w, me)) w->waiting -= 1;   // its stack overflowed as it arrived at the barrier
    w->at_barrier[me / 64] &= ~bit64(me);
    set_waiting(w, me, LANE_DONE);
    tl_warp &warp = w->warps[me / 32];
    warp.alive &= ~bit(me);
    warp.arrived &= ~bit(me);
    warp.active &= ~bit(me);
    w->alive -= 1;
    if (w->waiting && w->waiting == w->alive) tl_release_barrier(w);
    for (tl_u32 bits = warp.arrived; bits; bits &= bits - 1) {   // those that waited only for this lane
        tl_lane &lane = w->lanes[warp.first + (tl_u32)__builtin_ctz(bits)];
        tl_u32 there = tl_same_collective(w, warp, lane), wanted = lane.mask & warp.alive;
        if ((there & wanted) == wanted) {
            tl_complete_collective(w, warp, there);
            break;
        }
    }
    tl_resolve_active_mask(w, me / 32);
    int next = next_ready(w, me);
    if (next < 0) go_home(w, &unused);
    arrange(w, (tl_u32)next);
    tl_switch(&unused, w->sp[next]);
    __builtin_unreachable();
}

void tl_stop_lane(tl_worker *w) {
    w->stopped = true;
    tl_trace.lane_suspended(w, w->current);
    w->lane_runs = false;
    void *unused;
    tl_switch(&unused, w->home);
}

static void go(tl_worker *w, tl_u32 lane) {
    arrange(w, lane);
    w->lane_runs = true;
    tl_switch(&w->home, w->sp[lane]);
    w->lane_runs = false;
}

// Warp-level deadlock: lanes wait for others that never arrive. One group is released at a time: what it
// does next may be what the others wait for.
static bool resolve_warp(tl_worker *w, tl_u32 number) {
    tl_warp &warp = w->warps[number];
    if (!warp.arrived) return false;
    tl_u32 first = warp.first + (tl_u32)__builtin_ctz(warp.arrived);
    tl_u32 group = tl_same_collective(w, warp, w->lanes[first]);
    for (tl_u32 bits = group; bits; bits &= bits - 1) {
        tl_u32 i = warp.first + (tl_u32)__builtin_ctz(bits);
        if (w->lanes[i].counted) continue;
        w->lanes[i].counted = 1;
        w->divergent += 1;
        tl_trace.fault(w, TL_WARP_DEADLOCK, i, w->warp_sites[i]);
    }
    tl_complete_collective(w, warp, group);
    return true;
}

// No lane can run: full logs are read; else lanes wait for others that never arrive, so they are
// released as a GPU might, and the fault is recorded.
static void resolve(tl_worker *w) {
    bool any = false;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) {
        bool full = false;
        for (tl_u32 i = warp * 32; i < warp * 32 + 32 && i < w->lanes_in_block; ++i)
            full |= w->lanes[i].state == LANE_LOG_FULL;
        if (!full) continue;
        tl_trace.log_full(w, warp);
        for (tl_u32 i = warp * 32; i < warp * 32 + 32 && i < w->lanes_in_block; ++i)
            if (w->lanes[i].state == LANE_LOG_FULL && tl_trace.log_has_room(w, i)) set_ready(w, i);
        any = true;
    }
    if (any) return;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) any |= resolve_warp(w, warp);
    if (!any && w->waiting) tl_release_barrier(w);
}

// Staggered, or the stacks of all lanes would share a few places of the cache.
static char *stack_top(tl_worker *w, tl_u32 lane) {
    return (char *)(w->stacks + (lane + 1) * TL_LANE_STACK - lane % 32 * 192);
}

static void prepare_lanes(tl_worker *w, tl_u32 first, tl_u32 end) {
    for (tl_u32 i = first; i < end; ++i) {
        w->sp[i] = tl_new_stack(stack_top(w, i), lane_main);
        w->lanes[i].counted = 0;
        w->alive += 1;
        set_ready(w, i);
    }
}

static void start_warp(tl_worker *w, tl_u32 number) {
    tl_u32 first = number * 32, end = first + 32;
    if (end > w->lanes_in_block) end = w->lanes_in_block;
    tl_warp &warp = w->warps[number];
    warp.first = first;
    warp.arrived = warp.active = 0;
    warp.alive = end - first == 32 ? ~0u : (1u << (end - first)) - 1;
    prepare_lanes(w, first, end);
}

// Whether the block is to go on; else it is left as it is.
static bool goes_on(tl_worker *w) {
    if (w->tracer && tl_trace.gave_up(w)) w->launch->stop = 1, w->stopped = true;
    w->stopped |= w->launch->timed_out;
    return !w->stopped;
}

static void run_ready(tl_worker *w) {
    while (w->alive && goes_on(w)) {
        int next = next_ready(w, w->current);
        if (next < 0) resolve(w);
        else go(w, (tl_u32)next);
    }
}

static void run_fibers(tl_worker *w) {
    w->alive = w->waiting = w->vote_true = 0;
    w->current = w->lanes_in_block - 1;
    w->barriers_differ = false;
    memset(w->ready, 0, sizeof w->ready);
    memset(w->at_barrier, 0, sizeof w->at_barrier);
    for (tl_u32 i = 0; i * 32 < w->lanes_in_block; ++i) start_warp(w, i);
    run_ready(w);
}

// Lanes that wait for no other run one after another on one stack. One that must stop because its log
// is full keeps that stack, and the next lanes use another.
static void sequential_main() {
    tl_worker *w = tl_now.worker;
    char *arguments = w->launch->request->arguments;
    while (w->next_lane < w->end_lane) {
        arrange(w, w->next_lane++);
        tl_enter(arguments);
        tl_trace.lane_suspended(w, w->current);
        w->lanes[w->current].state = LANE_DONE;
    }
    void *unused;
    w->lane_runs = false;
    tl_switch(&unused, w->home);
    __builtin_unreachable();
}

static bool resume_sequential(tl_worker *w, tl_u32 first) {
    bool any = false;
    tl_trace.log_full(w, first / 32);
    for (tl_u32 i = first; i < w->end_lane; ++i)
        if (w->lanes[i].state == LANE_LOG_FULL) {
            any = true;
            if (tl_trace.log_has_room(w, i)) go(w, i);
        }
    return any;
}

static void run_sequential(tl_worker *w) {
    for (tl_u32 first = 0; first < w->lanes_in_block && !w->stopped; first += 32) {
        w->next_lane = first;
        w->end_lane = first + 32 < w->lanes_in_block ? first + 32 : w->lanes_in_block;
        tl_u32 stopped = 0;
        while (w->next_lane < w->end_lane && !w->stopped) {
            tl_u32 me = w->next_lane;
            w->sp[me] = tl_new_stack(stack_top(w, me), sequential_main);
            go(w, me);
            stopped |= w->lanes[w->current].state == LANE_LOG_FULL;
        }
        while (stopped && goes_on(w) && resume_sequential(w, first)) {}
        tl_trace.warp_end(w, first / 32);
    }
}

static void loop_main() {
    tl_worker *w = tl_now.worker;
    tl_enter_block(w->launch->request->arguments);
    void *unused;
    w->lane_runs = false;
    tl_switch(&unused, w->home);
    __builtin_unreachable();
}

static void run_loop(tl_worker *w) {
    w->sp[0] = tl_new_stack((char *)(w->stacks + TL_STACK_AREA), loop_main);
    w->current = 0;
    w->lane_runs = true;
    tl_switch(&w->home, w->sp[0]);
    w->lane_runs = false;
}

static void run_block(tl_worker *w, tl_u64 number) {
    const tl_dim &grid = tl_grid_dim;
    w->block_number = number;
    w->block.x = (tl_u32)(number % grid.x);
    w->block.y = (tl_u32)(number / grid.x % grid.y);
    w->block.z = (tl_u32)(number / grid.x / grid.y);
    tl_now.block = w->block;
    tl_u64 shared = w->launch->request->static_shared + w->launch->request->dynamic_shared;
    if (shared) memset(tl_now.shared, 0xff, tl_dynamic_offset + w->launch->request->dynamic_shared);
    if (w->looping) {
        run_loop(w);
        return;
    }
    tl_trace.block_begin(w);
    if (w->sequential) run_sequential(w);
    else run_fibers(w);
    tl_trace.block_end(w);
}

void tl_run_worker(tl_worker *w) {
    tl_launch *launch = w->launch;
    tl_request *request = launch->request;
    tl_now.worker = w;
    tl_now.shared = (char *)(w->shared_area + TL_SHARED_LEAD);
    bool in_rotation = w->tracer && request->uses_fences;
    if (in_rotation) tl_round_robin_enter(w);
    tl_u64 chunk = launch->blocks / (launch->worker_count * 16) + 1;
    if (chunk > 64) chunk = 64;
    if (request->cooperative) chunk = 1;
    while (!launch->stop) {
        tl_u64 first = __atomic_fetch_add(&launch->next_block, chunk, __ATOMIC_RELAXED);
        if (first >= launch->end_block) break;
        tl_u64 end = first + chunk < launch->end_block ? first + chunk : launch->end_block;
        for (tl_u64 b = first; b < end && !launch->stop; ++b) {
            run_block(w, b);
            w->blocks_done += !w->stopped;
        }
        if (request->progress)
            __atomic_fetch_add(request->progress, (end - first) * launch->threads_per_block,
                               __ATOMIC_RELAXED);
        if (request->cancel && *request->cancel) launch->stop = 2;
    }
    if (w->stopped && w->watchdog.spins) tl_report_spin(w);
    w->watchdog.used_ns = tl_thread_cpu_ns();
    w->ended = true;
    tl_now.worker = nullptr;
    if (in_rotation) tl_round_robin_leave(w);
}
