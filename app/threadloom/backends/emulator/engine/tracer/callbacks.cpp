// SPDX-License-Identifier: MIT
// What the tracer does at each step of a block: full logs, barriers, the block itself.
#include "tracer/callbacks.h"
#include "tracer/access_log.h"
#include "tracer/happens_before.h"
#include "tracer/requests/atomic_contention.h"
#include "tracer/violations.h"
#include "tracer/warps/warp_log.h"
#include <string.h>

static void on_log_full(tl_worker *w, tl_u32 warp) {
    tl_u32 open = 0;
    for (tl_u32 l = 0; l < 32 && warp * 32 + l < w->lanes_in_block; ++l)
        if (w->lanes[warp * 32 + l].state == LANE_LOG_FULL) open |= 1u << l;
    w->tracer->partial = true;
    tl_read_warp_log(w->tracer, warp, open, false);
}

static void on_warp_end(tl_worker *w, tl_u32 warp) {
    if (w->tracer) tl_read_warp_log(w->tracer, warp, 0, false);
}

// Behind the barrier, the lanes that wait at it are converged.
static void read_to_barrier(tl_tracer *tr, tl_u32 warp) {
    tl_worker *w = tr->worker;
    tl_warp_flow &f = tr->flows[warp];
    tl_u32 there = (tl_u32)(w->at_barrier[warp / 2] >> (warp % 2 * 32));
    bool same = there == f.mask && !w->barriers_differ;
    tl_read_warp_log(tr, warp, 0, !same);
    f.divergent = false;
    f.mask = there;
    if (!there) return;
    f.last = w->barrier_sites[warp * 32 + (tl_u32)__builtin_ctz(there)];
    tr->executions[f.last] += 1;
}

static void new_warp_epochs(tl_tracer *tr) {
    tl_u32 from = tr->warp_epoch_counter + 1;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) tr->warp_epochs[i] = from + i;
    tr->warp_epoch_counter += TL_MAX_LANES / 32;
}

static void on_barrier_released(tl_worker *w) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) read_to_barrier(tr, warp);
    if (tr->clocks) tl_happens_before_barrier(tr);
    tr->epoch += 1;
    tr->partial = false;
    tl_now.stored_shared = 0;
    new_warp_epochs(tr);
}

static void on_block_begin(tl_worker *w) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    for (tl_u32 first = 0; first < w->lanes_in_block; first += 32) {
        tl_u32 count = w->lanes_in_block - first, all = count < 32 ? (1u << count) - 1 : ~0u;
        tl_flow_begin(tr->flows[first / 32], all);
        tr->executions[TL_FLOW_START] += 1;
    }
    tr->logging = (tl_i64)w->block_number == w->launch->request->logged_block;
    tr->one_by_one = tr->logging || tr->silent_stores || tr->clocks;
    if (tr->clocks) tl_happens_before_block(tr);
    tr->writes = 0;
    tr->epoch += 1;
    tr->partial = false;
    tl_now.stored_shared = 0;
    new_warp_epochs(tr);
    memcpy(tr->defined, tr->blank, tr->shared_bytes);
    tr->undefined_bytes = tr->blank_bytes;
    for (tl_u32 i = 0; i < w->lanes_in_block && tr->logging; ++i) {
        tr->pending[i] = -1;
        tr->steps[i] = 0;
    }
}

static void on_block_end(tl_worker *w) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    if (w->launch->request->fibers) on_barrier_released(w);
    tl_faults_block_end(tr);
    tl_contention_block_end(tr);
}

static void on_collective_completed(tl_worker *w, tl_u32 warp, tl_u32 group) {
    if (w->tracer->clocks && group) tl_happens_before_collective(w->tracer, warp, group);
}

static void on_grid_barrier(tl_worker *w, bool released) {
    if (released) tl_happens_before_grid_release(w->tracer);
    else tl_happens_before_grid_arrive(w->tracer);
}

const tl_tracer_callbacks tl_trace = {
    on_block_begin,
    on_block_end,
    on_barrier_released,
    tl_log_resume,
    tl_log_suspend,
    on_warp_end,
    on_log_full,
    tl_log_has_room,
    tl_log_warp_sync,
    on_collective_completed,
    tl_log_fence,
    on_grid_barrier,
    tl_lane_fault,
    tl_too_many_faults,
    tl_log_last_site,
};
