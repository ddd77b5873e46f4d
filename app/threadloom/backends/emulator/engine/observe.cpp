// SPDX-License-Identifier: MIT
// What the observer does at each step of a block: warps that stop, barriers, the block itself.
#include "hits.h"
#include "ordering.h"
#include <string.h>

// Warps ----------------------------------------------------------------------------------------

void tl_observer_warp_full(tl_worker *w, tl_u32 warp) {
    tl_u32 open = 0;
    for (tl_u32 l = 0; l < 32 && warp * 32 + l < w->lanes_in_block; ++l)
        if (w->lanes[warp * 32 + l].state == LANE_FULL) open |= 1u << l;
    w->observer->partial = true;
    tl_read_logs(w->observer, warp, open, false);
}

void tl_observer_warp_done(tl_worker *w, tl_u32 warp) {
    if (w->observer) tl_read_logs(w->observer, warp, 0, false);
}

// Behind the barrier, the lanes that wait at it are together.
static void read_to_barrier(tl_observer *o, tl_u32 warp) {
    tl_worker *w = o->worker;
    tl_warp_flow &f = o->flows[warp];
    tl_u32 there = (tl_u32)(w->at_barrier[warp / 2] >> (warp % 2 * 32));
    bool same = there == f.mask && !w->barriers_differ;
    tl_read_logs(o, warp, 0, !same);
    f.parted = false;
    f.mask = there;
    if (!there) return;
    f.last = w->barrier_sites[warp * 32 + (tl_u32)__builtin_ctz(there)];
    o->passes[f.last] += 1;
}

static void new_subs(tl_observer *o) {
    tl_u32 from = o->sub_counter + 1;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 32; ++i) o->subs[i] = from + i;
    o->sub_counter += TL_MAX_LANES / 32;
}

void tl_observer_barrier(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    for (tl_u32 warp = 0; warp * 32 < w->lanes_in_block; ++warp) read_to_barrier(o, warp);
    if (o->order) tl_ordering_barrier(o);
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    new_subs(o);
}

// Blocks ---------------------------------------------------------------------------------------

void tl_observer_block(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    for (tl_u32 first = 0; first < w->lanes_in_block; first += 32) {
        tl_u32 count = w->lanes_in_block - first, all = count < 32 ? (1u << count) - 1 : ~0u;
        tl_flow_begin(o->flows[first / 32], all);
        o->passes[TL_FLOW_START] += 1;
    }
    o->keeping = (tl_i64)w->block_number == w->launch->request->kept_block;
    o->one_by_one = o->keeping || o->changes || o->order;
    if (o->order) tl_ordering_block(o);
    o->writes = 0;
    o->epoch += 1;
    o->partial = false;
    tl_now.stored_shared = 0;
    new_subs(o);
    memcpy(o->defined, o->blank, o->shared_bytes);
    o->undefined_bytes = o->blank_bytes;
    for (tl_u32 i = 0; i < w->lanes_in_block && o->keeping; ++i) {
        o->pending[i] = -1;
        o->steps[i] = 0;
    }
}

static tl_u32 ones(const tl_u64 *bits) {
    tl_u32 count = 0;
    for (tl_u32 i = 0; i < TL_MAX_LANES / 64; ++i) count += (tl_u32)__builtin_popcountll(bits[i]);
    return count;
}

static void close_faults(tl_observer *o) {
    for (tl_u32 i = 0; i < o->fault_count; ++i) {
        tl_fault_seen &fault = o->faults[i];
        if (fault.block != o->worker->block_number) continue;
        fault.out.threads += ones(fault.threads);
        memset(fault.threads, 0, sizeof fault.threads);
        fault.block = ~0ull;
    }
}

void tl_observer_block_done(tl_worker *w) {
    tl_observer *o = w->observer;
    if (!o) return;
    if (w->launch->request->fibres) tl_observer_barrier(w);
    o->oob_threads += ones(o->outside);
    memset(o->outside, 0, sizeof o->outside);
    if (o->fault_count) close_faults(o);
    tl_hits_block(o);
}
