// SPDX-License-Identifier: MIT
#include "scheduler/barrier.h"
#include "device/engine_calls.h"
#include "scheduler/lanes.h"

bool tl_at_barrier(tl_worker *w, tl_u32 lane) { return w->at_barrier[lane / 64] >> (lane % 64) & 1; }

static void report_divergence(tl_worker *w) {
    tl_u32 line = 0;
    for (tl_u32 i = 0; i < w->lanes_in_block && !line; ++i)
        if (tl_at_barrier(w, i)) line = w->barriers[i];
    for (tl_u32 i = 0; i < w->lanes_in_block; ++i) {
        tl_lane &lane = w->lanes[i];
        bool elsewhere = tl_at_barrier(w, i) && w->barriers[i] != line;
        if ((lane.state != LANE_DONE && !elsewhere) || lane.counted) continue;
        lane.counted = 1;
        w->divergent += 1;
        tl_trace.fault(w, TL_DIVERGENCE, i, line);
    }
}

// Sixty-four lanes at a time: a barrier costs little more than the switches.
void tl_release_barrier(tl_worker *w) {
    if (w->barriers_differ || w->alive != w->lanes_in_block) report_divergence(w);
    tl_trace.barrier_released(w);
    w->released += 1;
    w->vote_result = w->vote_true;
    w->vote_true = 0;
    w->waiting = 0;
    w->barriers_differ = false;
    for (tl_u32 i = 0; i * 64 < w->lanes_in_block; ++i) {
        w->ready[i] |= w->at_barrier[i];
        w->at_barrier[i] = 0;
    }
}

static __attribute__((noinline)) void last_at_barrier(tl_worker *w, tl_u32 me) {
    if (w->tracer) tl_trace.lane_suspended(w, me);
    tl_release_barrier(w);
    if (w->tracer) tl_trace.lane_resumed(w, me);
}

extern "C" TL_HIDDEN void tl_barrier(tl_u64 line) {
    tl_worker *w = tl_now.worker;
    tl_u32 me = w->current;
    tl_u64 mine = bit64(me);
    if (w->waiting++ == 0) w->barrier = (tl_u32)line;
    else w->barriers_differ |= w->barrier != (tl_u32)line;
    w->barriers[me] = (tl_u32)line;
    w->barrier_sites[me] = (tl_u32)tl_now.site;
    w->ready[me / 64] &= ~mine;
    w->at_barrier[me / 64] |= mine;
    if (w->waiting == w->alive) last_at_barrier(w, me);
    else leave(w, me);
}

extern "C" TL_HIDDEN tl_u32 tl_barrier_vote(tl_u64 site, int predicate, int how) {
    tl_worker *w = tl_now.worker;
    w->vote_true += predicate != 0;
    tl_u32 voters = w->alive;
    tl_barrier(site);
    tl_u32 yes = w->vote_result;
    return how == 0 ? yes : how == 1 ? yes == voters : yes != 0;
}

extern "C" TL_HIDDEN void tl_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    tl_trace.fence(tl_now.worker);
}
