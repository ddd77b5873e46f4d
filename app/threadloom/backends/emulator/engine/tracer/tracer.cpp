// SPDX-License-Identifier: MIT
// The tracer's memory: allocated when a launch begins and freed at its end.
#include "tracer/tracer.h"
#include "tracer/happens_before.h"
#include "tracer/requests/atomic_contention.h"
#include "tracer/requests/footprint.h"
#include "tracer/requests/shadow_memory.h"
#include "tracer/requests/silent_stores.h"
#include "tracer/requests/site.h"
#include "tracer/results.h"
#include "tracer/violations.h"
#include "tracer/warps/control_flow.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

tl_shared_trace_state tl_shared_trace;

static const tl_u64 SITE_ENTRIES = 2ull << 20;
static const tl_u64 MOST_READY = 8ull << 20;

static void *fresh(tl_u64 bytes) {
    void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

// The same for what will be used as a whole. A page that is read before it is written costs a halt of
// all cores when it changes, so such pages are made now.
static void *ready(tl_u64 bytes) {
    void *got = fresh(bytes);
    if (got && bytes <= MOST_READY) tl_populate((tl_u64)got, bytes);
    return got;
}

static tl_u64 log_bytes(tl_tracer *tr) {
    bool fibers = tr->worker->launch->request->fibers;
    tr->log_room = fibers ? TL_FIBER_LOG : TL_SEQUENTIAL_LOG;
    tr->log_shared = !fibers;
    tl_u64 warps = fibers ? (tr->worker->lanes_in_block + 31) / 32 : 1;
    return warps * (tr->log_room + TL_LOG_GAP) * 32 * 8;
}

static void fill_blank(tl_tracer *tr, tl_request *request) {
    memset(tr->blank, 1, tr->shared_bytes);
    for (tl_u32 i = 0; i < request->variable_count; ++i) {
        tl_variable &v = request->variables[i];
        memset(tr->blank + v.offset, 0, v.bytes);
        tr->blank_bytes += v.bytes;
    }
}

static bool traces(const tl_request *request) {
    for (tl_u32 i = 0; i < request->array_count; ++i)
        if (request->arrays[i].traced) return true;
    return false;
}

static bool open_worker(tl_worker *w) {
    tl_tracer *tr = (tl_tracer *)fresh(sizeof(tl_tracer));
    if (!tr) return false;
    tl_request *request = w->launch->request;
    w->tracer = tr;
    tr->worker = w;
    tr->logs = (tl_u64 *)ready(log_bytes(tr));
    tr->site_of = (tl_u16 *)fresh(SITE_ENTRIES * 2);
    tr->flows = (tl_warp_flow *)fresh(TL_MAX_LANES / 32 * sizeof(tl_warp_flow));
    tr->executions = (tl_u64 *)fresh(tl_control_flow().site_count * 8 + 64);
    tr->divergences = (tl_u64 *)fresh(tl_control_flow().branch_count * 8 + 64);
    tr->sites = (tl_site_state *)fresh(TL_MOST_SITES * sizeof(tl_site_state));
    tr->faults = (tl_fault_state *)fresh(TL_MOST_FAULTS * sizeof(tl_fault_state));
    tr->races = (tl_race *)fresh(TL_MOST_RACES * sizeof(tl_race));
    tr->element_shadow_bits = TL_SHADOW_BITS;
    tl_u64 element_shadow_bytes = sizeof(tl_keyed_cell) << tr->element_shadow_bits;
    tr->element_shadow = (tl_keyed_cell *)(request->fibers && traces(request) ? ready(element_shadow_bytes) : fresh(element_shadow_bytes));
    tr->contention = (tl_contention *)fresh(TL_MOST_CONTENTION * sizeof(tl_contention));
    tr->shared_bytes = tl_dynamic_offset + request->dynamic_shared;
    tr->grain = request->fine_shared ? 1 : 4;
    tr->defined = (tl_u8 *)fresh(tr->shared_bytes + 64);
    tr->blank = (tl_u8 *)fresh(tr->shared_bytes + 64);
    tr->shared_shadow = (tl_shadow_cell *)ready((tr->shared_bytes / tr->grain + 64) * sizeof(tl_shadow_cell));
    if (tr->blank) fill_blank(tr, request);
    tl_silent_stores_open(tr);
    if (request->uses_fences && !tl_happens_before_open_worker(tr)) return false;
    for (tl_u32 i = 0; i < (w->lanes_in_block + 31) / 32 * 32; ++i) {   // whole warps, see tl_read_warp_log
        w->log[i] = tl_log_of(tr, i);
        w->log_end[i] = w->log[i] + tr->log_room * TL_LOG_STEP;
    }
    return tr->blank && tr->contention && tr->logs && tr->site_of && tr->sites && tr->faults && tr->races && tr->element_shadow && tr->defined &&
           tr->shared_shadow && tr->flows && tr->executions && tr->divergences;
}

static void close_worker(tl_worker *w) {
    tl_tracer *tr = w->tracer;
    if (!tr) return;
    tl_silent_stores_close(tr);
    tl_happens_before_close_worker(tr);
    munmap(tr->logs, log_bytes(tr));
    munmap(tr->site_of, SITE_ENTRIES * 2);
    munmap(tr->flows, TL_MAX_LANES / 32 * sizeof(tl_warp_flow));
    munmap(tr->executions, tl_control_flow().site_count * 8 + 64);
    munmap(tr->divergences, tl_control_flow().branch_count * 8 + 64);
    munmap(tr->sites, TL_MOST_SITES * sizeof(tl_site_state));
    munmap(tr->faults, TL_MOST_FAULTS * sizeof(tl_fault_state));
    munmap(tr->races, TL_MOST_RACES * sizeof(tl_race));
    tl_contention_close(tr);
    munmap(tr->contention, TL_MOST_CONTENTION * sizeof(tl_contention));
    munmap(tr->element_shadow, sizeof(tl_keyed_cell) << tr->element_shadow_bits);
    munmap(tr->defined, tr->shared_bytes + 64);
    munmap(tr->blank, tr->shared_bytes + 64);
    munmap(tr->shared_shadow, (tr->shared_bytes / tr->grain + 64) * sizeof(tl_shadow_cell));
    munmap(tr, sizeof *tr);
}

bool tl_tracer_open(tl_launch *launch) {
    memset(&tl_shared_trace, 0, sizeof tl_shared_trace);
    tl_control_flow_open();
    tl_shared_trace.footprints = (tl_footprint *)fresh(TL_MOST_FOOTPRINTS * sizeof(tl_footprint));
    if (!tl_shared_trace.footprints) return false;
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_array &array = launch->request->arrays[i];
        tl_array_state &seen = tl_shared_trace.arrays[i];
        seen.elements = array.bytes / array.item;
        if (!array.traced) continue;
        seen.reader = (tl_u64 *)fresh(seen.elements * 8 + 64);
        seen.atomic = (tl_u64 *)fresh(seen.elements * 8 + 64);
        seen.lowest = (tl_u32 *)fresh(seen.elements * 4 + 64);
        if (!seen.reader || !seen.atomic || !seen.lowest) return false;
    }
    if (launch->request->uses_fences && !tl_happens_before_open(launch)) return false;
    for (tl_u32 i = 0; i < launch->worker_count; ++i)
        if (!open_worker(launch->workers[i])) return false;
    return true;
}

void tl_tracer_close(tl_launch *launch) {
    tl_gather_results(launch);
    tl_happens_before_close(launch);
    munmap(tl_shared_trace.footprints, TL_MOST_FOOTPRINTS * sizeof(tl_footprint));
    for (tl_u32 i = 0; i < launch->worker_count; ++i) close_worker(launch->workers[i]);
    for (tl_u32 i = 0; i < launch->request->array_count; ++i) {
        tl_array_state &seen = tl_shared_trace.arrays[i];
        if (seen.reader) munmap(seen.reader, seen.elements * 8 + 64);
        if (seen.atomic) munmap(seen.atomic, seen.elements * 8 + 64);
        if (seen.lowest) munmap(seen.lowest, seen.elements * 4 + 64);
    }
}
